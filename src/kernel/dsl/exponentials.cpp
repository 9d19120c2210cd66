// exp, log, pow and what is made of them. Coefficients are minimax fits on the stated intervals, rounded to
// f32.

#include "kernel/dsl/math.hpp"

namespace collet::detail {
namespace {

// -126 <= n <= 127
F power_of_two(const I& n) { return bit_cast<float>((n + 127) << 23); }

// value * 2^n for -252 <= n <= 254, rounded once.
F scaled(const F& value, const I& n) {
  const I half = n >> 1;
  return value * power_of_two(half) * power_of_two(n - half);
}

F exp2_of(const Pair& x) {
  const F n = round_even(x.high);
  const F r = (x.high - n) + x.low;
  const F p = polynomial(
      r, {0x1.62e43p-1f, 0x1.ebfb94p-3f, 0x1.c6af9ep-5f, 0x1.3b6814p-7f, 0x1.5ef4d2p-10f, 0x1.179c08p-13f});
  return scaled(1.0f + r * p, cast<std::int32_t>(n));
}

// x = mantissa * 2^exponent with a mantissa from sqrt(1/2) to sqrt(2), of a finite x > 0.
struct Parts {
  F mantissa, exponent;
};

Parts parts(const U& bits) {
  const B denormal = bits < 0x00800000u;
  const U lifted = bits_of_float(cast<float>(bits));  // in units of 2^-149
  const U from = select(denormal, lifted, bits) - 0x3f3504f3u;
  const I exponent = (bit_cast<std::int32_t>(from) >> 23) - select(denormal, I(149), I(0));
  return {bit_cast<float>((from & 0x007fffffu) + 0x3f3504f3u), cast<float>(exponent)};
}

// log(1 + f) - f
F log_tail(const F& f) {
  const F square = f * f;
  const F p = polynomial(f, {0x1.555548p-2f, -0x1.000006p-2f, 0x1.99a4b6p-3f, -0x1.555c4p-3f, 0x1.23374p-3f,
                             -0x1.fc23c4p-4f, 0x1.e6f4ccp-4f, -0x1.de3322p-4f, 0x1.1441f8p-4f});
  return square * f * p - 0.5f * square;
}

// `found` for finite x > 0; what a logarithm is elsewhere.
F logarithm(const U& bits, const F& found) {
  const F beyond = select(bits == 0x7f800000u, F(kInfinity), F(kNan));
  return select((bits << 1) == 0u, F(-kInfinity), select(bits >= 0x7f800000u, beyond, found));
}

// log2 of a finite x > 0 to about 40 bits.
Pair log2_pair(const U& bits) {
  const Parts of = parts(bits);
  // log(m) = 2 s + 2/3 s^3 + …, s = (m - 1) / (m + 1)
  const Pair s = quotient({of.mantissa - 1.0f, 0.0f}, exact_sum(of.mantissa, 1.0f));
  const Pair square = product(s, s);
  const F z = square.high;
  const F p = polynomial(z, {0x1.999998p-2f, 0x1.2493b6p-2f, 0x1.c63da8p-3f, 0x1.908404p-3f});
  const Pair third = ordered_sum(0x1.555556p-1f, z * p - 0x1.555556p-26f);
  const Pair tail = product(product(square, s), third);
  const Pair sum = ordered_sum(2.0f * s.high, tail.high);
  const Pair natural = ordered_sum(sum.high, sum.low + (2.0f * s.low + tail.low));
  const Pair binary = product(natural, {0x1.715476p+0f, 0x1.4ae0cp-26f});
  const Pair whole = ordered_sum(of.exponent, binary.high);
  return ordered_sum(whole.high, whole.low + binary.low);
}

// |x|^y where neither is NaN.
F power_of_magnitude(const U& bits, const F& y) {
  const Pair log = log2_pair(bits);
  const F within = min(max(y, -0x1p32f), 0x1p32f);  // beyond it every power but that of 1 is 0 or infinity
  const Pair main = exact_product(within, log.high);
  const Pair exponent = ordered_sum(main.high, main.low + within * log.low);
  const F clamped = min(max(exponent.high, -160.0f), 140.0f);
  const F found = exp2_of({clamped, select(clamped == exponent.high, exponent.low, 0.0f)});
  const B falls = is_negative(y);
  const F of_zero = select(falls, F(kInfinity), F(0.0f));
  const F of_infinity = select(falls, F(0.0f), F(kInfinity));
  return select(bits == 0u, of_zero, select(bits == 0x7f800000u, of_infinity, found));
}

}  // namespace

F exp_shifted(const F& x, std::int32_t shift) {
  const F within = min(max(x, -120.0f), 100.0f);
  const F n = round_even(within * 0x1.715476p+0f);
  const F r = (within - n * 0x1.62ep-1f) - n * 0x1.0bfbe8p-15f;  // ln 2 in two parts, the first product exact
  const F p =
      polynomial(r, {0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.55585ap-5f, 0x1.123d72p-7f, 0x1.6ab8cap-10f});
  return scaled(1.0f + (r + r * r * p), cast<std::int32_t>(n) + shift);
}

F exp(const F& x) { return exp_shifted(x, 0); }

F exp2(const F& x) { return exp2_of({min(max(x, -160.0f), 140.0f), 0.0f}); }

F log(const F& x) {
  const U bits = bits_of_float(x);
  const Parts of = parts(bits);
  const F f = of.mantissa - 1.0f;
  const F low = of.exponent * 0x1.0bfbe8p-15f + log_tail(f);
  return logarithm(bits, of.exponent * 0x1.62ep-1f + (f + low));
}

F log2(const F& x) {
  const U bits = bits_of_float(x);
  const Parts of = parts(bits);
  const F f = of.mantissa - 1.0f;
  // f * log2(e), the upper bits of both exactly.
  const Pair cut = halves(f);
  const F low = cut.high * 0x1.47652cp-12f + (cut.low * 0x1.715476p+0f + log_tail(f) * 0x1.715476p+0f);
  const Pair sum = ordered_sum(of.exponent, cut.high * 0x1.714p+0f);
  return logarithm(bits, sum.high + (sum.low + low));
}

F pow(const F& x, const F& y) {
  const U bits = magnitude_bits(x);
  const U exponent_bits = magnitude_bits(y);
  const F magnitude = power_of_magnitude(bits, y);
  const B whole = trunc(y) == y;
  const B odd = (abs(y) < 0x1p24f) & whole & ((cast<std::int32_t>(y) & 1) != 0);
  const F found = select(is_negative(x) & odd, -magnitude, magnitude);
  const B no_power = is_negative(x) & !whole & (bits != 0u) & (bits != 0x7f800000u);
  const B not_numbers = (bits > 0x7f800000u) | (exponent_bits > 0x7f800000u);
  const B one = (exponent_bits == 0u) | (bits_of_float(x) == 0x3f800000u);
  return select(one, F(1.0f), select(no_power | not_numbers, F(kNan), found));
}

F sinh(const F& x) {
  const F size = abs(x);
  const F z = x * x;
  const F p = polynomial(z, {0x1.555556p-3f, 0x1.1110ep-7f, 0x1.a022b6p-13f, 0x1.756df8p-19f});
  const F half = exp_shifted(size, -1);
  return with_sign_of(select(size < 1.0f, size + size * z * p, half - 0.25f / half), x);
}

F cosh(const F& x) {
  const F half = exp_shifted(abs(x), -1);
  return half + 0.25f / half;
}

F tanh(const F& x) {
  const F size = abs(x);
  const F z = x * x;
  const F p = polynomial(
      z, {-0x1.555554p-2f, 0x1.111084p-3f, -0x1.b9f4bep-5f, 0x1.63d27ep-6f, -0x1.0d6682p-7f, 0x1.1e6d88p-9f});
  const F far = 1.0f - 2.0f / (exp_shifted(2.0f * min(size, 10.0f), 0) + 1.0f);
  return with_sign_of(select(size < 0.6f, size + size * z * p, far), x);
}

F erf(const F& x) {
  const F size = abs(x);
  const F near = polynomial(x * x, {0x1.06eba6p-3f, -0x1.8126e6p-2f, 0x1.ce1a4cp-4f, -0x1.b687ecp-6f,
                                    0x1.4721d8p-8f, -0x1.399e76p-11f});
  // log(erfc(t)); from 4 on erf is 1.
  const F far =
      polynomial(min(size, 4.0f), {0x1.521de2p-13f, -0x1.212398p+0f, -0x1.4457ap-1f, -0x1.bae772p-4f,
                                   0x1.99f5e4p-6f, -0x1.0ee8e2p-8f, 0x1.bf6f64p-12f, -0x1.5698cap-16f});
  // The product of a tiny x would be denormal, and might be lost.
  const F small = select(size < 0x1p-60f, size * 0x1.20dd76p+0f, size + size * near);
  return with_sign_of(select(size < 0.921875f, small, 1.0f - exp_shifted(far, 0)), x);
}

F rsqrt(const F& x) {
  const U bits = bits_of_float(x);
  const B denormal = bits < 0x00800000u;
  const F v = select(denormal, cast<float>(bits << 1), x);  // in units of 2^-150
  const auto nearer = [&](const F& y) { return y * (1.5f - (v * y) * (0.5f * y)); };
  const F y = nearer(nearer(bit_cast<float>(0x5f3759dfu - (bits_of_float(v) >> 1))));
  const F found = (y + 0.5f * y * (1.0f - (v * y) * y)) * select(denormal, F(0x1p75f), F(1.0f));
  const F beyond = select(bits == 0x7f800000u, F(0.0f), F(kNan));
  return select((bits << 1) == 0u, with_sign_of(kInfinity, x), select(bits >= 0x7f800000u, beyond, found));
}

}  // namespace collet::detail
