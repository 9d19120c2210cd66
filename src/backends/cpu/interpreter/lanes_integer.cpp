// Integer arithmetic and bits over lanes.

#include <bit>
#include <limits>
#include <type_traits>

#include "backends/cpu/interpreter/handlers.hpp"
#include "backends/cpu/interpreter/loops.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Op;
using ir::Scalar;

// Wide enough that C++ does not turn it into an int, which must not overflow.
template <class T>
using Word = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
COLLET_INLINE Word<T> word(T value) {
  return static_cast<std::make_unsigned_t<T>>(value);
}

struct Negate {
  template <class T>
  COLLET_INLINE static T of(T a) {
    return static_cast<T>(Word<T>{0} - word(a));
  }
};
struct Absolute {
  template <class T>
  COLLET_INLINE static T of(T a) {
    return a < T{0} ? static_cast<T>(Word<T>{0} - word(a)) : a;
  }
};
struct Add {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(word(a) + word(b));
  }
};
struct Subtract {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(word(a) - word(b));
  }
};
struct Multiply {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(word(a) * word(b));
  }
};

// 1 where dividing by b has no value of its own: a / 1 = a and a % 1 = 0 are what is wanted.
template <class T>
COLLET_INLINE T safe_divisor(T a, T b) {
  bool bad = b == 0;
  if constexpr (std::is_signed_v<T>) bad |= a == std::numeric_limits<T>::min() && b == T{-1};
  return bad ? T{1} : b;
}
struct Divide {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(a / safe_divisor(a, b));
  }
};
struct Remainder {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(a % safe_divisor(a, b));
  }
};
struct Minimum {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct MultiplyHigh {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    if constexpr (sizeof(T) < 8) {
      using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (sizeof(T) * 8));
    } else {
      const auto x = static_cast<std::uint64_t>(a);
      const auto y = static_cast<std::uint64_t>(b);
      const std::uint64_t low = (x & 0xffffffffu) * (y & 0xffffffffu);
      const std::uint64_t middle = (x >> 32) * (y & 0xffffffffu) + (low >> 32);
      const std::uint64_t other = (x & 0xffffffffu) * (y >> 32) + (middle & 0xffffffffu);
      std::uint64_t high = (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
      if constexpr (std::is_signed_v<T>) high -= (a < 0 ? y : 0) + (b < 0 ? x : 0);
      return static_cast<T>(high);
    }
  }
};
struct Not {
  template <class T>
  COLLET_INLINE static T of(T a) {
    return static_cast<T>(~word(a));
  }
};
struct And {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct ShiftLeft {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(word(a) << (word(b) & (sizeof(T) * 8 - 1)));
  }
};
struct ShiftRight {
  template <class T>
  COLLET_INLINE static T of(T a, T b) {
    return static_cast<T>(a >> (word(b) & (sizeof(T) * 8 - 1)));
  }
};
struct CountBits {
  template <class T>
  COLLET_INLINE static T of(T a) {
    return static_cast<T>(std::popcount(static_cast<std::make_unsigned_t<T>>(a)));
  }
};
struct LeadingZeros {
  template <class T>
  COLLET_INLINE static T of(T a) {
    return static_cast<T>(std::countl_zero(static_cast<std::make_unsigned_t<T>>(a)));
  }
};
struct TrailingZeros {
  template <class T>
  COLLET_INLINE static T of(T a) {
    return static_cast<T>(std::countr_zero(static_cast<std::make_unsigned_t<T>>(a)));
  }
};
struct ReverseBits {
  // Swaps neighbours of one bit, then of two, and so on up to half the number.
  template <class T>
  COLLET_INLINE static T of(T a) {
    using U = std::make_unsigned_t<T>;
    Word<T> value = word(a);
    Word<T> mask = static_cast<U>(~U{0});
    for (unsigned shift = sizeof(T) * 4; shift != 0; shift /= 2) {
      mask ^= static_cast<U>(mask << shift);
      value = ((value >> shift) & mask) | static_cast<U>((value & mask) << shift);
    }
    return static_cast<T>(value);
  }
};
struct BooleanNot {
  COLLET_INLINE static std::uint8_t of(std::uint8_t a) { return a ^ 1u; }
};

template <class F, class T>
Handler one(Isa isa) {
  return Compiled<Unary<F, T, T>>::pick(isa);
}
template <class F, class T>
Handler two(Isa isa) {
  return Compiled<Binary<F, T, T>>::pick(isa);
}

// What is the same for signed and unsigned numbers.
template <class T>
Handler find_sizes(Op op, Isa isa) {
  switch (op) {
    case Op::negate: return one<Negate, T>(isa);
    case Op::add: return two<Add, T>(isa);
    case Op::sub: return two<Subtract, T>(isa);
    case Op::mul: return two<Multiply, T>(isa);
    case Op::bit_not: return one<Not, T>(isa);
    case Op::bit_and: return two<And, T>(isa);
    case Op::bit_or: return two<Or, T>(isa);
    case Op::bit_xor: return two<Xor, T>(isa);
    case Op::shl: return two<ShiftLeft, T>(isa);
    case Op::count_bits: return one<CountBits, T>(isa);
    case Op::leading_zeros: return one<LeadingZeros, T>(isa);
    case Op::trailing_zeros: return one<TrailingZeros, T>(isa);
    case Op::reverse_bits: return one<ReverseBits, T>(isa);
    default: return nullptr;
  }
}

template <class T>
Handler find_signs(Op op, Isa isa) {
  switch (op) {
    case Op::div: return two<Divide, T>(isa);
    case Op::rem: return two<Remainder, T>(isa);
    case Op::min: return two<Minimum, T>(isa);
    case Op::max: return two<Maximum, T>(isa);
    case Op::abs: return one<Absolute, T>(isa);
    case Op::mul_high: return two<MultiplyHigh, T>(isa);
    case Op::shr: return two<ShiftRight, T>(isa);
    default: return find_sizes<std::make_unsigned_t<T>>(op, isa);
  }
}

}  // namespace

Handler find_integer(Op op, Scalar type, Isa isa) {
  switch (type) {
    case Scalar::i8: return find_signs<std::int8_t>(op, isa);
    case Scalar::u8: return find_signs<std::uint8_t>(op, isa);
    case Scalar::i16: return find_signs<std::int16_t>(op, isa);
    case Scalar::u16: return find_signs<std::uint16_t>(op, isa);
    case Scalar::i32: return find_signs<std::int32_t>(op, isa);
    case Scalar::u32: return find_signs<std::uint32_t>(op, isa);
    case Scalar::i64: return find_signs<std::int64_t>(op, isa);
    case Scalar::u64: return find_signs<std::uint64_t>(op, isa);
    default: return nullptr;
  }
}

Handler find_boolean(Op op, Isa isa) {
  switch (op) {
    case Op::bit_not: return one<BooleanNot, std::uint8_t>(isa);
    case Op::bit_and: return two<And, std::uint8_t>(isa);
    case Op::bit_or: return two<Or, std::uint8_t>(isa);
    case Op::bit_xor: return two<Xor, std::uint8_t>(isa);
    default: return nullptr;
  }
}

}  // namespace collet::backend::cpu::interpreter
