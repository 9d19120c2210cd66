// Comparisons, choices and copies over lanes.

#include "backends/cpu/interpreter/handlers.hpp"
#include "backends/cpu/interpreter/loops.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Op;
using ir::Scalar;

template <class T>
COLLET_INLINE T comparable(T value) {
  return value;
}
COLLET_INLINE float comparable(Half value) { return to_float(value); }

#define COLLET_COMPARISON(Name, sign)                  \
  struct Name {                                        \
    template <class T>                                 \
    COLLET_INLINE static std::uint8_t of(T a, T b) {   \
      return comparable(a) sign comparable(b) ? 1 : 0; \
    }                                                  \
  };
COLLET_COMPARISON(Equal, ==)
COLLET_COMPARISON(Unequal, !=)
COLLET_COMPARISON(Less, <)
COLLET_COMPARISON(LessOrEqual, <=)
COLLET_COMPARISON(Greater, >)
COLLET_COMPARISON(GreaterOrEqual, >=)
#undef COLLET_COMPARISON

struct Choose {
  template <class T>
  COLLET_INLINE static T of(std::uint8_t condition, T a, T b) {
    return condition != 0 ? a : b;
  }
};

template <class T>
struct Copy {
  COLLET_INLINE static void run(Frame& frame, const Instruction& i) {
    const std::size_t width = width_of(frame, i);
    T* to = lanes<T>(frame, i.to);
    const T* a = lanes<const T>(frame, i.a);
    const T x = *a;
    if (step_of(i, Instruction::kA) == 0) {
      COLLET_LANES
      for (std::size_t n = 0; n < width; ++n) to[n] = x;
    } else {
      COLLET_LANES
      for (std::size_t n = 0; n < width; ++n) to[n] = a[n];
    }
  }
};

template <class T>
struct Blend {
  COLLET_INLINE static void run(Frame& frame, const Instruction& i) {
    if (frame.full(i.mask)) return Copy<T>::run(frame, i);
    const std::size_t width = width_of(frame, i);
    const std::uint8_t* mask = frame.mask(i.mask);
    T* to = lanes<T>(frame, i.to);
    const T* a = lanes<const T>(frame, i.a);
    const T x = *a;
    if (step_of(i, Instruction::kA) == 0) {
      COLLET_LANES
      for (std::size_t n = 0; n < width; ++n) to[n] = mask[n] != 0 ? x : to[n];
    } else {
      COLLET_LANES
      for (std::size_t n = 0; n < width; ++n) to[n] = mask[n] != 0 ? a[n] : to[n];
    }
  }
};

template <class T>
void clear(Frame& frame, const Instruction& i) {
  const std::size_t width = width_of(frame, i);
  T* to = lanes<T>(frame, i.to);
  for (std::size_t n = 0; n < width; ++n) to[n] = 0;
}

template <class F, class T>
Handler two(Isa isa) {
  return Compiled<Binary<F, std::uint8_t, T>>::pick(isa);
}

template <class T>
Handler find_order(Op op, Isa isa) {
  switch (op) {
    case Op::lt: return two<Less, T>(isa);
    case Op::le: return two<LessOrEqual, T>(isa);
    case Op::gt: return two<Greater, T>(isa);
    case Op::ge: return two<GreaterOrEqual, T>(isa);
    default: return nullptr;
  }
}

template <class T>
Handler find_equality(Op op, Isa isa) {
  return op == Op::eq ? two<Equal, T>(isa) : two<Unequal, T>(isa);
}

// By the bytes of an element.
template <template <class> class Body>
Handler sized(std::uint32_t bytes, Isa isa) {
  switch (bytes) {
    case 1: return Compiled<Body<std::uint8_t>>::pick(isa);
    case 2: return Compiled<Body<std::uint16_t>>::pick(isa);
    case 4: return Compiled<Body<std::uint32_t>>::pick(isa);
    case 8: return Compiled<Body<std::uint64_t>>::pick(isa);
    default: return nullptr;
  }
}

template <class T>
using Select = Ternary<Choose, T, std::uint8_t, T>;

}  // namespace

Handler find_comparison(Op op, Scalar type, Isa isa) {
  const bool equality = op == Op::eq || op == Op::ne;
  switch (type) {
    case Scalar::boolean: return equality ? find_equality<std::uint8_t>(op, isa) : nullptr;
    case Scalar::i8:
      return equality ? find_equality<std::uint8_t>(op, isa) : find_order<std::int8_t>(op, isa);
    case Scalar::u8:
      return equality ? find_equality<std::uint8_t>(op, isa) : find_order<std::uint8_t>(op, isa);
    case Scalar::i16:
      return equality ? find_equality<std::uint16_t>(op, isa) : find_order<std::int16_t>(op, isa);
    case Scalar::u16:
      return equality ? find_equality<std::uint16_t>(op, isa) : find_order<std::uint16_t>(op, isa);
    case Scalar::i32:
      return equality ? find_equality<std::uint32_t>(op, isa) : find_order<std::int32_t>(op, isa);
    case Scalar::u32:
      return equality ? find_equality<std::uint32_t>(op, isa) : find_order<std::uint32_t>(op, isa);
    case Scalar::i64:
      return equality ? find_equality<std::uint64_t>(op, isa) : find_order<std::int64_t>(op, isa);
    case Scalar::u64:
      return equality ? find_equality<std::uint64_t>(op, isa) : find_order<std::uint64_t>(op, isa);
    case Scalar::f16: return equality ? find_equality<Half>(op, isa) : find_order<Half>(op, isa);
    case Scalar::f32: return equality ? find_equality<float>(op, isa) : find_order<float>(op, isa);
    case Scalar::f64: return equality ? find_equality<double>(op, isa) : find_order<double>(op, isa);
    default: return nullptr;
  }
}

Handler find_select(std::uint32_t bytes, Isa isa) { return sized<Select>(bytes, isa); }
Handler find_copy(std::uint32_t bytes, Isa isa) { return sized<Copy>(bytes, isa); }
Handler find_blend(std::uint32_t bytes, Isa isa) { return sized<Blend>(bytes, isa); }

Handler find_clear(std::uint32_t bytes) {
  switch (bytes) {
    case 1: return clear<std::uint8_t>;
    case 2: return clear<std::uint16_t>;
    case 4: return clear<std::uint32_t>;
    case 8: return clear<std::uint64_t>;
    default: return nullptr;
  }
}

}  // namespace collet::backend::cpu::interpreter
