// What the library's own functions are built of: values of the kernel language, and pairs of floats that hold
// about twice the bits of one.
//
// All is +, -, *, / and integer bits, so that every device computes the same; f64 and fused multiply-adds are
// what devices lack. A division may be off by 2.5 ULP: quotient() makes up for it.
#pragma once

#include <limits>

#include "collet/control.hpp"
#include "collet/functions.hpp"

namespace collet::detail {

using F = Expr<float>;
using U = Expr<std::uint32_t>;
using I = Expr<std::int32_t>;
using B = Expr<bool>;

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
// The float nearest to pi / 2, and what is missing to it; the same for pi.
inline constexpr float kHalfPi = 0x1.921fb6p+0f, kHalfPiRest = -0x1.777a5cp-25f;
inline constexpr float kPi = 2 * kHalfPi, kPiRest = 2 * kHalfPiRest;

inline U bits_of_float(const F& x) { return bit_cast<std::uint32_t>(x); }
inline U magnitude_bits(const F& x) { return bits_of_float(x) & 0x7fffffffu; }
inline B is_negative(const F& x) { return (bits_of_float(x) >> 31) != 0u; }
inline F with_sign_of(const F& magnitude, const F& x) {
  return bit_cast<float>(bits_of_float(magnitude) | (bits_of_float(x) & 0x80000000u));
}

// c[0] + c[1] * x + c[2] * x * x …
inline F polynomial(const F& x, std::initializer_list<float> c) {
  const float* next = c.end();
  Traced sum = F(*--next).traced();
  while (next != c.begin()) sum = (*--next + x * F(sum)).traced();
  return F(sum);
}

// The sum of both, the low part below half a unit in the last place of the high one.
struct Pair {
  F high, low;
};

inline Pair exact_sum(const F& a, const F& b) {
  const F sum = a + b;
  const F part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
// The same where |a| >= |b| or a is 0.
inline Pair ordered_sum(const F& a, const F& b) {
  const F sum = a + b;
  return {sum, b - (sum - a)};
}
// The upper 12 bits, and the rest.
inline Pair halves(const F& x) {
  const F high = bit_cast<float>(bits_of_float(x) & 0xfffff000u);
  return {high, x - high};
}
inline Pair exact_product(const F& a, const F& b) {
  const F product = a * b;
  const Pair x = halves(a);
  const Pair y = halves(b);
  return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}
inline Pair product(const Pair& a, const Pair& b) {
  const Pair main = exact_product(a.high, b.high);
  return ordered_sum(main.high, main.low + (a.high * b.low + a.low * b.high));
}
// Right to about 44 bits, however the device divides.
inline Pair quotient(const Pair& a, const Pair& b) {
  const F first = a.high / b.high;
  const Pair back = exact_product(first, b.high);
  const F left = ((a.high - back.high) - back.low) + (a.low - first * b.low);
  return ordered_sum(first, left / b.high);
}

// e^x * 2^shift, within 1 ULP.
F exp_shifted(const F& x, std::int32_t shift);

}  // namespace collet::detail
