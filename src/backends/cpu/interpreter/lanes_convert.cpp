// Conversions over lanes: float to integer saturates, NaN becomes 0, everything else is as in C++.

#include <limits>
#include <type_traits>

#include "backends/cpu/interpreter/handlers.hpp"
#include "backends/cpu/interpreter/loops.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Scalar;

// A boolean in a register, told apart from u8.
struct Truth {
  std::uint8_t value = 0;
};

template <class To, class From>
COLLET_INLINE To saturated(From value) {
  // One past the largest, a power of two and so exact.
  constexpr From kPast =
      static_cast<From>(std::uint64_t{1} << (std::numeric_limits<To>::digits - 1)) * From{2};
  constexpr From kLeast = static_cast<From>(std::numeric_limits<To>::min());
  const bool inside = value >= kLeast && value < kPast;  // not so for NaN
  const To near = static_cast<To>(inside ? value : From{0});
  const To limit = value >= kPast   ? std::numeric_limits<To>::max()
                   : value < kLeast ? std::numeric_limits<To>::min()
                                    : To{0};
  return inside ? near : limit;
}

template <class To>
struct Convert {
  template <class From>
  COLLET_INLINE static To of(From value) {
    if constexpr (std::is_same_v<From, Truth>) {
      return of(value.value);
    } else if constexpr (std::is_same_v<From, Half>) {
      return of(to_float(value));
    } else if constexpr (std::is_same_v<To, Truth>) {
      return {static_cast<std::uint8_t>(value != From{0} ? 1 : 0)};
    } else if constexpr (std::is_same_v<To, Half> && std::is_same_v<From, double>) {
      return to_half(value);
    } else if constexpr (std::is_same_v<To, Half>) {
      return to_half(static_cast<float>(value));  // integers that a float rounds are beyond f16
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      return saturated<To>(value);
    } else {
      return static_cast<To>(value);
    }
  }
};

template <class To, class From>
Handler one(Isa isa) {
  return Compiled<Unary<Convert<To>, To, From>>::pick(isa);
}

template <class To>
Handler find_from(Scalar from, Isa isa) {
  switch (from) {
    case Scalar::boolean: return one<To, Truth>(isa);
    case Scalar::i8: return one<To, std::int8_t>(isa);
    case Scalar::u8: return one<To, std::uint8_t>(isa);
    case Scalar::i16: return one<To, std::int16_t>(isa);
    case Scalar::u16: return one<To, std::uint16_t>(isa);
    case Scalar::i32: return one<To, std::int32_t>(isa);
    case Scalar::u32: return one<To, std::uint32_t>(isa);
    case Scalar::i64: return one<To, std::int64_t>(isa);
    case Scalar::u64: return one<To, std::uint64_t>(isa);
    case Scalar::f16: return one<To, Half>(isa);
    case Scalar::f32: return one<To, float>(isa);
    case Scalar::f64: return one<To, double>(isa);
    default: return nullptr;
  }
}

}  // namespace

Handler find_convert(Scalar from, Scalar to, Isa isa) {
  switch (to) {
    case Scalar::boolean: return find_from<Truth>(from, isa);
    case Scalar::i8: return find_from<std::int8_t>(from, isa);
    case Scalar::u8: return find_from<std::uint8_t>(from, isa);
    case Scalar::i16: return find_from<std::int16_t>(from, isa);
    case Scalar::u16: return find_from<std::uint16_t>(from, isa);
    case Scalar::i32: return find_from<std::int32_t>(from, isa);
    case Scalar::u32: return find_from<std::uint32_t>(from, isa);
    case Scalar::i64: return find_from<std::int64_t>(from, isa);
    case Scalar::u64: return find_from<std::uint64_t>(from, isa);
    case Scalar::f16: return find_from<Half>(from, isa);
    case Scalar::f32: return find_from<float>(from, isa);
    case Scalar::f64: return find_from<double>(from, isa);
    default: return nullptr;
  }
}

}  // namespace collet::backend::cpu::interpreter
