// sin, cos, tan and their inverses. Coefficients are minimax fits on the stated intervals, rounded to f32.

#include "kernel/dsl/math.hpp"

namespace collet::detail {
namespace {

// x - quadrant * pi / 2, at most about pi / 4 in size.
struct Angle {
  Pair rest;
  U quadrant;
};

// |x| <= 3216: pi / 2 in parts of 13 bits, whose products with a quadrant of 11 bits are exact.
Angle small_angle(const F& x) {
  const F n = round_even(x * 0x1.45f306p-1f);
  const Pair first = exact_sum(x - n * 0x1.921p+0f, n * -0x1.f6ap-13f);
  const Pair second = exact_sum(first.high, n * -0x1.11p-26f);
  const F low = (first.low + second.low) - n * 0x1.68c234p-39f;
  return {ordered_sum(second.high, low), bit_cast<std::uint32_t>(cast<std::int32_t>(n))};
}

// The 32 bits that begin `shift` bits after the first of `a`.
U window(const U& a, const U& b, const U& shift) { return (a << shift) | ((b >> 1) >> (31u - shift)); }

// 2 / pi, behind 32 bits that are 0.
constexpr std::uint32_t kTwoOverPi[] = {0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                        0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

// x * 2 / pi modulo 4, in units of 2^-62: the mantissa times those digits of 2 / pi that matter.
struct Turns {
  U high, low;
};

Turns turns(const U& bits) {
  const U mantissa = (bits & 0x007fffffu) | 0x00800000u;
  const U position = ((bits >> 23) & 0xffu) - 120u;  // of the digit that counts 2
  const U word = position >> 5;
  const U shift = position & 31u;
  const auto digits = [&](std::size_t i) {
    const auto at = [&](std::size_t skipped) { return U(kTwoOverPi[i + skipped]); };
    const U last = select(word == 3u, at(3), at(4));
    return select(word == 0u, at(0), select(word == 1u, at(1), select(word == 2u, at(2), last)));
  };
  const U second = digits(1);
  const U third = digits(2);
  const U middle = window(second, third, shift);
  const U carried = mul_high(mantissa, window(third, digits(3), shift));
  const U low = mantissa * middle + carried;
  const U high = mantissa * window(digits(0), second, shift) + mul_high(mantissa, middle);
  return {high + select(low < carried, U(1u), U(0u)), low};
}

// Any finite x of at least 2^-5 in size.
Angle large_angle(const F& x) {
  const Turns of = turns(bits_of_float(x));
  const U quadrant = (of.high + 0x20000000u) >> 30;
  // The fraction of a quadrant, from -1/2 to 1/2: its sign, and its first 32 bits that are not 0.
  const U upper = (of.high << 2) | (of.low >> 30);
  const U sign = bit_cast<std::uint32_t>(bit_cast<std::int32_t>(upper) >> 31);
  const U magnitude = upper ^ sign;
  const U zeros = leading_zeros(magnitude);
  const U lead = window(magnitude, (of.low << 2) ^ sign, zeros);
  const F scale = bit_cast<float>((95u - zeros) << 23);  // 2^(-32 - zeros)
  const F head = cast<float>(lead & 0xffffff00u) * scale;
  const F tail = cast<float>(lead & 0xffu) * scale;
  const Pair main = exact_product(head, kHalfPi);
  const Pair angle = ordered_sum(main.high, main.low + (tail * kHalfPi + head * kHalfPiRest));
  const B negative = is_negative(x);
  const B flipped = negative != (sign != 0u);
  return {{select(flipped, -angle.high, angle.high), select(flipped, -angle.low, angle.low)},
          select(negative, 0u - quadrant, quadrant)};
}

Angle angle_of(const F& x) {
  Var<float> high;
  Var<float> low;
  Var<std::uint32_t> quadrant;
  const auto take = [&](const Angle& angle) {
    high = angle.rest.high;
    low = angle.rest.low;
    quadrant = angle.quadrant;
  };
  if_(abs(x) <= 3216.0f, [&] { take(small_angle(x)); }).else_([&] { take(large_angle(x)); });
  return {{high, low}, quadrant};
}

// The main part, and what is added to it last.
Pair sine(const Pair& a) {
  const F z = a.high * a.high;
  const F p = polynomial(z, {-0x1.555546p-3f, 0x1.110776p-7f, -0x1.9952fap-13f});
  return {a.high, a.high * z * p + a.low * (1.0f - 0.5f * z)};
}
Pair cosine(const Pair& a) {
  const F z = a.high * a.high;
  const F p = polynomial(z, {0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f});
  const Pair main = ordered_sum(1.0f, -0.5f * z);
  return {main.high, main.low + (z * z * p - a.high * a.low)};
}

F wave(const Pair& rest, const U& quadrant) {
  const Pair s = sine(rest);
  const Pair c = cosine(rest);
  const F found = select((quadrant & 1u) == 0u, s.high + s.low, c.high + c.low);
  return bit_cast<float>(bits_of_float(found) ^ ((quadrant & 2u) << 30));
}

// Infinity has no sine.
F of_finite(const F& x, const F& found) { return select(magnitude_bits(x) < 0x7f800000u, found, F(kNan)); }
// The functions of what is at most 1.
F up_to_one(const F& x, const F& found) { return select(magnitude_bits(x) <= 0x3f800000u, found, F(kNan)); }

// atan(q) - q.high, for q from 0 to 1.
F atan_tail(const Pair& q) {
  const F z = q.high * q.high;
  const F p = polynomial(z, {-0x1.5554dcp-2f, 0x1.9978ecp-3f, -0x1.230a94p-3f, 0x1.b4deb4p-4f,
                             -0x1.3550bap-4f, 0x1.61ed7p-5f, -0x1.0c1476p-6f, 0x1.7e9b1ap-9f});
  return q.high * z * p + q.low * (1.0f - 0.5f * z);
}

F quarter_turn_less(const Pair& angle) {
  const Pair main = ordered_sum(kHalfPi, -angle.high);
  return main.high + (main.low + (kHalfPiRest - angle.low));
}

// less / more, of which none is NaN and 0 <= less <= more.
Pair ratio(const F& less, const F& more) {
  const F scale = select(more > 0x1p100f, F(0x1p-64f), select(more < 0x1p-40f, F(0x1p80f), F(1.0f)));
  const F divisor = select(more == 0.0f, 1.0f, more);
  const Pair found = quotient({less * scale, 0.0f}, {divisor * scale, 0.0f});
  // Where products would underflow, the device's own division is near enough.
  const B far = less * scale < more * scale * 0x1p-60f;
  const B equal = less == more;  // and perhaps both 0 or infinite
  const F same = select(more == 0.0f, F(0.0f), F(1.0f));
  return {select(equal, same, select(far, less / divisor, found.high)), select(equal | far, 0.0f, found.low)};
}

// asin(s) - s, for s from -1/2 to 1/2.
F asin_tail(const F& s, const F& square) {
  return s * square *
         polynomial(square, {0x1.5555c8p-3f, 0x1.3301fcp-4f, 0x1.747d06p-5f, 0x1.8c2d84p-6f, 0x1.596d6p-5f});
}

// asin(sqrt((1 - size) / 2)): half of the angle whose cosine is `size`, which is from 1/2 to 1.
Pair half_angle(const F& size) {
  const F z = 0.5f - 0.5f * min(size, 1.0f);
  const F root = sqrt(z);  // a device may be off by 3 ULP
  const Pair back = exact_product(root, root);
  const F missed = select(root > 0.0f, ((z - back.high) - back.low) / (2.0f * root), 0.0f);
  return {root, missed + asin_tail(root, z)};
}

}  // namespace

F sin(const F& x) {
  const Angle angle = angle_of(x);
  return select(x == 0.0f, x, of_finite(x, wave(angle.rest, angle.quadrant)));
}

F cos(const F& x) {
  const Angle angle = angle_of(x);
  return of_finite(x, wave(angle.rest, angle.quadrant + 1u));
}

F tan(const F& x) {
  const Angle angle = angle_of(x);
  const Pair s = sine(angle.rest);
  const Pair c = cosine(angle.rest);
  const B odd = (angle.quadrant & 1u) != 0u;
  const Pair over = ordered_sum(select(odd, -c.high, s.high), select(odd, -c.low, s.low));
  const Pair under = ordered_sum(select(odd, s.high, c.high), select(odd, s.low, c.low));
  const Pair found = quotient(over, under);
  return select(abs(x) < 0x1p-40f, x, of_finite(x, found.high + found.low));
}

F asin(const F& x) {
  const F size = abs(x);
  const Pair half = half_angle(size);
  const F steep = quarter_turn_less({2.0f * half.high, 2.0f * half.low});
  const F flat = size + asin_tail(size, x * x);
  return up_to_one(x, with_sign_of(select(size > 0.5f, steep, flat), x));
}

F acos(const F& x) {
  const Pair half = half_angle(abs(x));
  const F right = 2.0f * (half.high + half.low);
  const Pair main = ordered_sum(kPi, -2.0f * half.high);
  const F left = main.high + (main.low + (kPiRest - 2.0f * half.low));
  const F flat = quarter_turn_less({x, asin_tail(x, x * x)});
  return up_to_one(x, select(abs(x) > 0.5f, select(x > 0.0f, right, left), flat));
}

F atan(const F& x) {
  const F size = abs(x);
  const B steep = size > 1.0f;
  const Pair inverse = quotient({1.0f, 0.0f}, {min(size, 0x1p60f), 0.0f});
  const Pair q = {select(steep, inverse.high, size), select(steep, inverse.low, 0.0f)};
  const F tail = atan_tail(q);
  return with_sign_of(select(steep, quarter_turn_less({q.high, tail}), q.high + tail), x);
}

F atan2(const F& y, const F& x) {
  const F wide = abs(x);
  const F tall = abs(y);
  const B steep = tall > wide;
  const Pair q = ratio(select(steep, wide, tall), select(steep, tall, wide));
  const Pair angle = ordered_sum(q.high, atan_tail(q));
  const F right = select(steep, quarter_turn_less(angle), angle.high + angle.low);
  // On the left pi - angle, or pi / 2 + angle.
  const Pair main = ordered_sum(select(steep, F(kHalfPi), F(kPi)), select(steep, angle.high, -angle.high));
  const F rest = select(steep, kHalfPiRest + angle.low, kPiRest - angle.low);
  const F found = select(is_negative(x), main.high + (main.low + rest), right);
  const B not_numbers = (magnitude_bits(x) > 0x7f800000u) | (magnitude_bits(y) > 0x7f800000u);
  return select(not_numbers, F(kNan), with_sign_of(found, y));
}

}  // namespace collet::detail
