// Float arithmetic over lanes. Compiled without contraction: a * b + c rounds twice.

#include <cmath>

#include "backends/cpu/interpreter/handlers.hpp"
#include "backends/cpu/interpreter/loops.hpp"
#include "kernel/ir/fused.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Op;
using ir::Scalar;

#define COLLET_FUNCTION1(Name, expression) \
  struct Name {                            \
    template <class T>                     \
    COLLET_INLINE static T of(T a) {       \
      return expression;                   \
    }                                      \
  };
#define COLLET_FUNCTION2(Name, expression) \
  struct Name {                            \
    template <class T>                     \
    COLLET_INLINE static T of(T a, T b) {  \
      return expression;                   \
    }                                      \
  };

COLLET_FUNCTION1(Negate, -a)
COLLET_FUNCTION1(Absolute, std::fabs(a))
COLLET_FUNCTION1(Floor, std::floor(a))
COLLET_FUNCTION1(Ceiling, std::ceil(a))
COLLET_FUNCTION1(Truncate, std::trunc(a))
COLLET_FUNCTION1(RoundEven, std::nearbyint(a))
COLLET_FUNCTION1(SquareRoot, std::sqrt(a))
COLLET_FUNCTION1(Sine, std::sin(a))
COLLET_FUNCTION1(Cosine, std::cos(a))
COLLET_FUNCTION1(Tangent, std::tan(a))
COLLET_FUNCTION1(Exponential, std::exp(a))
COLLET_FUNCTION1(Exponential2, std::exp2(a))
COLLET_FUNCTION1(Logarithm, std::log(a))
COLLET_FUNCTION1(Logarithm2, std::log2(a))
COLLET_FUNCTION1(InverseRoot, T{1} / std::sqrt(a))
COLLET_FUNCTION2(Add, a + b)
COLLET_FUNCTION2(Subtract, a - b)
COLLET_FUNCTION2(Multiply, a* b)
COLLET_FUNCTION2(Divide, a / b)
COLLET_FUNCTION2(Remainder, std::fmod(a, b))
COLLET_FUNCTION2(Minimum, b < a ? b : a)
COLLET_FUNCTION2(Maximum, a < b ? b : a)
COLLET_FUNCTION2(Power, std::pow(a, b))

#undef COLLET_FUNCTION1
#undef COLLET_FUNCTION2

// An instruction, where the loop is compiled for one.
struct Fma {
  template <class T>
  COLLET_INLINE static T of(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct PortableFma {
  template <class T>
  COLLET_INLINE static T of(T a, T b, T c) {
    return ir::fused(a, b, c);
  }
};

// F on halves.
template <class F>
struct OfHalves {
  template <class... Halves>
  COLLET_INLINE static Half of(Halves... values) {
    return to_half(F::of(to_float(values)...));
  }
};

// Signs are bits: a NaN keeps its own.
struct NegateHalf {
  COLLET_INLINE static Half of(Half a) { return {static_cast<std::uint16_t>(a.bits ^ 0x8000u)}; }
};
struct AbsoluteHalf {
  COLLET_INLINE static Half of(Half a) { return {static_cast<std::uint16_t>(a.bits & 0x7fffu)}; }
};

template <template <class, class, class> class Loop, class F>
Handler by_type(Scalar type, Isa isa) {
  switch (type) {
    case Scalar::f16: return Compiled<Loop<OfHalves<F>, Half, Half>>::pick(isa);
    case Scalar::f32: return Compiled<Loop<F, float, float>>::pick(isa);
    case Scalar::f64: return Compiled<Loop<F, double, double>>::pick(isa);
    default: return nullptr;
  }
}
template <class F, class To, class A>
using OfThree = Ternary<F, To, A, A>;

template <class F>
Handler one(Scalar type, Isa isa) {
  return by_type<Unary, F>(type, isa);
}
template <class F>
Handler two(Scalar type, Isa isa) {
  return by_type<Binary, F>(type, isa);
}
template <class F>
Handler three(Scalar type, Isa isa) {
  return by_type<OfThree, F>(type, isa);
}

// Calls of the C library, which no instruction set makes faster.
template <class F>
Handler plain(Scalar type) {
  return one<F>(type, Isa::portable);
}

}  // namespace

Handler find_float(Op op, Scalar type, Isa isa) {
  const bool half = type == Scalar::f16;
  switch (op) {
    case Op::negate:
      return half ? Compiled<Unary<NegateHalf, Half, Half>>::pick(isa) : one<Negate>(type, isa);
    case Op::abs:
      return half ? Compiled<Unary<AbsoluteHalf, Half, Half>>::pick(isa) : one<Absolute>(type, isa);
    case Op::add: return two<Add>(type, isa);
    case Op::sub: return two<Subtract>(type, isa);
    case Op::mul: return two<Multiply>(type, isa);
    case Op::div: return two<Divide>(type, isa);
    case Op::rem: return two<Remainder>(type, Isa::portable);
    case Op::min: return two<Minimum>(type, isa);
    case Op::max: return two<Maximum>(type, isa);
    case Op::fma: return isa == Isa::portable ? three<PortableFma>(type, isa) : three<Fma>(type, isa);
    case Op::floor: return one<Floor>(type, isa);
    case Op::ceil: return one<Ceiling>(type, isa);
    case Op::trunc: return one<Truncate>(type, isa);
    case Op::round_even: return one<RoundEven>(type, isa);
    case Op::sqrt: return one<SquareRoot>(type, isa);
    case Op::native_sin: return plain<Sine>(type);
    case Op::native_cos: return plain<Cosine>(type);
    case Op::native_tan: return plain<Tangent>(type);
    case Op::native_exp: return plain<Exponential>(type);
    case Op::native_exp2: return plain<Exponential2>(type);
    case Op::native_log: return plain<Logarithm>(type);
    case Op::native_log2: return plain<Logarithm2>(type);
    case Op::native_rsqrt: return one<InverseRoot>(type, isa);
    case Op::native_pow: return two<Power>(type, Isa::portable);
    default: return nullptr;
  }
}

}  // namespace collet::backend::cpu::interpreter
