// The meaning of operations.

#include "kernel/ir/eval.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernel/ir/fused.hpp"

namespace collet::ir {
namespace {

using Arguments = std::array<std::uint64_t, 3>;

template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(bits);
  } else {
    return static_cast<T>(bits);
  }
}

template <class T>
std::uint64_t to_bits(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? 1 : 0;
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

// Calls body(T{}) with the C++ type of `scalar`; false where there is none.
template <class Body>
bool with_type(Scalar scalar, const Body& body) {
  switch (scalar) {
    case Scalar::boolean: return body(bool{}), true;
    case Scalar::i8: return body(std::int8_t{}), true;
    case Scalar::u8: return body(std::uint8_t{}), true;
    case Scalar::i16: return body(std::int16_t{}), true;
    case Scalar::u16: return body(std::uint16_t{}), true;
    case Scalar::i32: return body(std::int32_t{}), true;
    case Scalar::u32: return body(std::uint32_t{}), true;
    case Scalar::i64: return body(std::int64_t{}), true;
    case Scalar::u64: return body(std::uint64_t{}), true;
    case Scalar::f32: return body(float{}), true;
    case Scalar::f64: return body(double{}), true;
    default: return false;
  }
}

std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t low = (a & 0xffffffffu) * (b & 0xffffffffu);
  const std::uint64_t middle = (a >> 32) * (b & 0xffffffffu) + (low >> 32);
  const std::uint64_t other = (a & 0xffffffffu) * (b >> 32) + (middle & 0xffffffffu);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

template <class T>
T multiply_high_of(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    std::uint64_t high = multiply_high(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
    if constexpr (std::is_signed_v<T>) {
      if (a < 0) high -= static_cast<std::uint64_t>(b);
      if (b < 0) high -= static_cast<std::uint64_t>(a);
    }
    return static_cast<T>(high);
  } else {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (sizeof(T) * 8));
  }
}

template <class U>
U reversed(U value) {
  U result = 0;
  for (unsigned i = 0; i < sizeof(U) * 8; ++i) {
    result = static_cast<U>(result << 1 | (value & 1u));
    value = static_cast<U>(value >> 1);
  }
  return result;
}

template <class T>
std::optional<std::uint64_t> integer(Op op, T a, T b) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<(sizeof(U) < 4), std::uint32_t, U>;  // small types would widen to int
  const W x = static_cast<U>(a);
  const W y = static_cast<U>(b);
  const unsigned shift = static_cast<unsigned>(y) & (sizeof(T) * 8 - 1);
  const bool overflow = std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
  const auto wrap = [](W value) { return std::optional<std::uint64_t>(static_cast<U>(value)); };
  switch (op) {
    case Op::negate: return wrap(W{0} - x);
    case Op::add: return wrap(x + y);
    case Op::sub: return wrap(x - y);
    case Op::mul: return wrap(x * y);
    case Op::div: return b == 0 || overflow ? to_bits(a) : to_bits(static_cast<T>(a / b));
    case Op::rem: return b == 0 || overflow ? 0 : to_bits(static_cast<T>(a % b));
    case Op::min: return to_bits(b < a ? b : a);
    case Op::max: return to_bits(a < b ? b : a);
    case Op::abs: return std::is_signed_v<T> && a < 0 ? wrap(W{0} - x) : wrap(x);
    case Op::mul_high: return to_bits(multiply_high_of(a, b));
    case Op::bit_not: return wrap(~x);
    case Op::bit_and: return wrap(x & y);
    case Op::bit_or: return wrap(x | y);
    case Op::bit_xor: return wrap(x ^ y);
    case Op::shl: return wrap(x << shift);
    case Op::shr: return to_bits(static_cast<T>(a >> shift));
    case Op::count_bits: return static_cast<std::uint64_t>(std::popcount(static_cast<U>(a)));
    case Op::leading_zeros: return static_cast<std::uint64_t>(std::countl_zero(static_cast<U>(a)));
    case Op::trailing_zeros: return static_cast<std::uint64_t>(std::countr_zero(static_cast<U>(a)));
    case Op::reverse_bits: return wrap(reversed(static_cast<U>(a)));
    default: return std::nullopt;
  }
}

template <class T>
std::optional<std::uint64_t> floating(Op op, T a, T b, T c) {
  switch (op) {
    case Op::negate: return to_bits(-a);
    case Op::add: return to_bits(a + b);
    case Op::sub: return to_bits(a - b);
    case Op::mul: return to_bits(a * b);
    case Op::div: return to_bits(a / b);
    case Op::rem: return to_bits(std::fmod(a, b));
    case Op::min: return to_bits(b < a ? b : a);
    case Op::max: return to_bits(a < b ? b : a);
    case Op::abs: return to_bits(std::fabs(a));
    case Op::fma: return to_bits(fused(a, b, c));
    case Op::floor: return to_bits(std::floor(a));
    case Op::ceil: return to_bits(std::ceil(a));
    case Op::trunc: return to_bits(std::trunc(a));
    case Op::round_even: return to_bits(std::nearbyint(a));
    case Op::sqrt: return to_bits(std::sqrt(a));
    default: return std::nullopt;
  }
}

template <class T>
std::optional<std::uint64_t> compared(Op op, T a, T b) {
  switch (op) {
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    case Op::ge: return a >= b;
    default: return std::nullopt;
  }
}

template <class To, class From>
To converted(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(value)) return 0;
    // One past the largest, a power of two and so exact.
    const From past = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    if (value >= past) return std::numeric_limits<To>::max();
    if (value < static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace

std::optional<std::uint64_t> evaluate(Op op, Scalar from, Scalar to, const Arguments& arguments) {
  if (op == Op::select) return arguments[0] != 0 ? arguments[1] : arguments[2];
  if (op == Op::bitcast) return arguments[0];
  std::optional<std::uint64_t> result;
  with_type(from, [&](auto kind) {
    using T = decltype(kind);
    const T a = from_bits<T>(arguments[0]);
    const T b = from_bits<T>(arguments[1]);
    if (op == Op::convert) {
      with_type(to, [&](auto target) { result = to_bits(converted<decltype(target)>(a)); });
    } else if (op >= Op::eq && op <= Op::ge) {
      result = compared(op, a, b);
    } else if constexpr (std::is_same_v<T, bool>) {
      switch (op) {
        case Op::bit_not: result = to_bits(!a); break;
        case Op::bit_and: result = to_bits(a && b); break;
        case Op::bit_or: result = to_bits(a || b); break;
        case Op::bit_xor: result = to_bits(a != b); break;
        default: break;
      }
    } else if constexpr (std::is_integral_v<T>) {
      result = integer(op, a, b);
    } else {
      result = floating(op, a, b, from_bits<T>(arguments[2]));
    }
  });
  return result;
}

}  // namespace collet::ir
