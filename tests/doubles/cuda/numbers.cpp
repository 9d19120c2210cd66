// Conversions of halves, which C++20 has no type for.

#include "numbers.hpp"

#include <cmath>

namespace collet::cuda_double {

double half_to_double(Half half) {
  const int exponent = half.bits >> 10 & 31;
  const int fraction = half.bits & 1023;
  double value = 0;
  if (exponent == 31) {
    value =
        fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (half.bits & 0x8000) != 0 ? -value : value;
}

Half double_to_half(double value, bool towards_zero) {
  const u16 sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) return {0x7fff};
  if (std::isinf(value)) return {static_cast<u16>(sign | 0x7c00)};
  if (size == 0) return {sign};
  int exponent = 0;
  std::frexp(size, &exponent);                                 // size is in [2^(exponent-1), 2^exponent)
  const int unit = exponent - 11 < -24 ? -24 : exponent - 11;  // the last bit's weight as a power of two
  const double scaled = std::ldexp(size, -unit);               // exact: below 2^11
  double whole = std::floor(scaled);
  if (!towards_zero) {
    const double rest = scaled - whole;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0)) whole += 1;
  }
  const double rounded = std::ldexp(whole, unit);
  if (rounded > 65504) return {static_cast<u16>(sign | (towards_zero ? 0x7bff : 0x7c00))};
  if (rounded < std::ldexp(1, -14)) {
    return {static_cast<u16>(sign | static_cast<u16>(std::ldexp(rounded, 24)))};
  }
  std::frexp(rounded, &exponent);
  const auto fraction = static_cast<u16>(std::ldexp(rounded, 11 - exponent) - 1024);
  return {static_cast<u16>(sign | (exponent + 14) << 10 | fraction)};
}

}  // namespace collet::cuda_double
