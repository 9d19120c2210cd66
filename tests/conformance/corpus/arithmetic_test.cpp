// Corpus: arithmetic of every type, casts, bits.

#include <bit>
#include <limits>

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

// What C++ leaves open the kernel language defines: integers wrap, x / 0 = x, x % 0 = 0, MIN / -1 = MIN.
template <class T>
struct Wrapping {
  using U = std::make_unsigned_t<T>;
  static T add(T a, T b) { return static_cast<T>(static_cast<U>(U(a) + U(b))); }
  static T sub(T a, T b) { return static_cast<T>(static_cast<U>(U(a) - U(b))); }
  static T mul(T a, T b) { return static_cast<T>(static_cast<U>(uint64_t(U(a)) * uint64_t(U(b)))); }
  static bool overflows(T a, T b) {
    return std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
  }
  static T div(T a, T b) { return b == 0 || overflows(a, b) ? a : static_cast<T>(a / b); }
  static T rem(T a, T b) { return b == 0 || overflows(a, b) ? T{0} : static_cast<T>(a % b); }
};

template <class T>
void integer_arithmetic(Device& device) {
  const auto all = kernel("arithmetic", [](In<T> a, In<T> b, Out<T> out) {
    const auto i = global_id();
    const Expr<T> x = a[i];
    const Expr<T> y = b[i];
    out[i * 6u] = x + y;
    out[i * 6u + 1u] = x - y;
    out[i * 6u + 2u] = x * y;
    out[i * 6u + 3u] = x / y;
    out[i * 6u + 4u] = x % y;
    out[i * 6u + 5u] = (x & y) ^ (x | ~y);
  });
  auto a = numbers<T>(500, 1);
  auto b = numbers<T>(500, 2);
  a[0] = a[1] = std::numeric_limits<T>::min();
  b[0] = static_cast<T>(-1);
  b[1] = b[2] = 0;
  const auto out = device.buffer<T>(3000).value();
  if (!ran(device, all, 500, device.upload(a).value(), device.upload(b).value(), out)) return;
  using W = Wrapping<T>;
  expect_each(device, out, [&](std::size_t at) -> T {
    const T x = a[at / 6];
    const T y = b[at / 6];
    switch (at % 6) {
      case 0: return W::add(x, y);
      case 1: return W::sub(x, y);
      case 2: return W::mul(x, y);
      case 3: return W::div(x, y);
      case 4: return W::rem(x, y);
      default: return static_cast<T>((x & y) ^ (x | ~y));
    }
  });
}

// Division may be 2.5 ULP off; all else is exact.
template <class T>
void float_arithmetic(Device& device) {
  const auto all = kernel("arithmetic", [](In<T> a, In<T> b, Out<T> exact, Out<T> quotient) {
    const auto i = global_id();
    exact[i * 4u] = a[i] + b[i];
    exact[i * 4u + 1u] = a[i] - b[i] * T{3};
    exact[i * 4u + 2u] = -a[i] * b[i];
    exact[i * 4u + 3u] = max(abs(a[i]), min(b[i], T{7}));
    quotient[i] = a[i] / b[i];
  });
  const auto a = numbers<T>(500, 3);
  const auto b = numbers<T>(500, 4);
  const auto exact = device.buffer<T>(2000).value();
  const auto quotient = device.buffer<T>(500).value();
  if (!ran(device, all, 500, device.upload(a).value(), device.upload(b).value(), exact, quotient)) return;
  expect_each(device, exact, [&](std::size_t at) -> T {
    const T x = a[at / 4];
    const T y = b[at / 4];
    const T triple = y * T{3};
    switch (at % 4) {
      case 0: return x + y;
      case 1: return x - triple;
      case 2: return -x * y;
      default: return std::max(std::abs(x), std::min(y, T{7}));
    }
  });
  const double bound = 2.5 * static_cast<double>(std::numeric_limits<T>::epsilon());
  expect_near(device, quotient, bound, [&](std::size_t i) { return a[i] / b[i]; });
}

}  // namespace

CONFORMANCE_TEST(Corpus, ArithmeticOfI8) { integer_arithmetic<int8_t>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfU8) { integer_arithmetic<uint8_t>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfI16) { integer_arithmetic<int16_t>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfU16) { integer_arithmetic<uint16_t>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfI32) { integer_arithmetic<int32_t>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfU32) { integer_arithmetic<uint32_t>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfI64) { integer_arithmetic<int64_t>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfU64) { integer_arithmetic<uint64_t>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfF32) { float_arithmetic<float>(device); }
CONFORMANCE_TEST(Corpus, ArithmeticOfF64) { float_arithmetic<double>(device); }

CONFORMANCE_TEST(Corpus, CastsBetweenSmallIntegers) {
  const auto casts = kernel("casts", [](In<int32_t> x, Out<int32_t> y) {
    const auto i = global_id();
    const Expr<int32_t> v = x[i];
    y[i] = cast<int32_t>(cast<int8_t>(v)) + cast<int32_t>(cast<uint8_t>(v)) * 3 +
           cast<int32_t>(cast<int16_t>(v)) * 5 + cast<int32_t>(cast<uint16_t>(v)) * 7;
  });
  const auto x = numbers<int32_t>(700);
  const auto y = device.buffer<int32_t>(700).value();
  if (!ran(device, casts, 700, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    return int8_t(x[i]) + uint8_t(x[i]) * 3 + int16_t(x[i]) * 5 + uint16_t(x[i]) * 7;
  });
}

CONFORMANCE_TEST(Corpus, CastsFromFloatsSaturate) {
  const auto casts = kernel("casts", [](In<float> x, Out<int32_t> i32, Out<uint32_t> u32, Out<int32_t> i8) {
    const auto i = global_id();
    i32[i] = cast<int32_t>(x[i]);
    u32[i] = cast<uint32_t>(x[i]);
    i8[i] = cast<int32_t>(cast<int8_t>(x[i]));
  });
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{0.0f, 1.9f,  -1.9f, 127.5f, 128.0f, -128.5f, -129.0f,
                             3e9f, -3e9f, 5e9f,  1e30f,  -1e30f, nan};
  const auto i32 = device.buffer<int32_t>(x.size()).value();
  const auto u32 = device.buffer<uint32_t>(x.size()).value();
  const auto i8 = device.buffer<int32_t>(x.size()).value();
  if (!ran(device, casts, x.size(), device.upload(x).value(), i32, u32, i8)) return;
  const auto saturated = [&](std::size_t i, double least, double most) {
    return std::isnan(x[i]) ? 0.0 : std::clamp(std::trunc(static_cast<double>(x[i])), least, most);
  };
  expect_each(device, i32, [&](std::size_t i) { return saturated(i, -2147483648.0, 2147483647.0); });
  expect_each(device, u32, [&](std::size_t i) { return saturated(i, 0.0, 4294967295.0); });
  expect_each(device, i8, [&](std::size_t i) { return saturated(i, -128.0, 127.0); });
}

CONFORMANCE_TEST(Corpus, CastsToFloatsRoundToTheNearest) {
  const auto casts = kernel("casts", [](In<int32_t> x, Out<float> from_signed, Out<float> from_unsigned) {
    const auto i = global_id();
    from_signed[i] = cast<float>(x[i]);
    from_unsigned[i] = cast<float>(bit_cast<uint32_t>(x[i]));
  });
  const auto x = numbers<int32_t>(900);
  const auto s = device.buffer<float>(900).value();
  const auto u = device.buffer<float>(900).value();
  if (!ran(device, casts, 900, device.upload(x).value(), s, u)) return;
  expect_each(device, s, [&](std::size_t i) { return static_cast<float>(x[i]); });
  expect_each(device, u, [&](std::size_t i) { return static_cast<float>(static_cast<uint32_t>(x[i])); });
}

CONFORMANCE_TEST(Corpus, CastsBetween64BitTypes) {
  const auto casts = kernel("casts", [](In<int64_t> x, Out<int64_t> y) {
    const auto i = global_id();
    y[i * 3u] = cast<int64_t>(cast<int32_t>(x[i]));
    y[i * 3u + 1u] = cast<int64_t>(cast<uint32_t>(x[i]));
    y[i * 3u + 2u] = cast<int64_t>(cast<double>(x[i] / 4096));
  });
  const auto x = numbers<int64_t>(300);
  const auto y = device.buffer<int64_t>(900).value();
  if (!ran(device, casts, 300, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) -> int64_t {
    const int64_t v = x[i / 3];
    return i % 3 == 0 ? int64_t{int32_t(v)} : i % 3 == 1 ? int64_t{uint32_t(v)} : v / 4096;
  });
}

CONFORMANCE_TEST(Corpus, BitsOfFloats) {
  const auto bits = kernel("bits", [](In<float> x, Out<uint32_t> as_bits, Out<float> above) {
    const auto i = global_id();
    as_bits[i] = bit_cast<uint32_t>(x[i]);
    above[i] = bit_cast<float>(bit_cast<uint32_t>(x[i]) + 1u);
  });
  const auto x = numbers<float>(256);
  const auto raw = device.buffer<uint32_t>(256).value();
  const auto next = device.buffer<float>(256).value();
  if (!ran(device, bits, 256, device.upload(x).value(), raw, next)) return;
  expect_each(device, raw, [&](std::size_t i) { return std::bit_cast<uint32_t>(x[i]); });
  expect_each(device, next,
              [&](std::size_t i) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x[i]) + 1); });
}

namespace {

template <class T>
T reversed(T x) {
  T y = 0;
  for (std::size_t i = 0; i < 8 * sizeof(T); ++i) y = static_cast<T>(y << 1 | (x >> i & 1));
  return y;
}

template <class T>
void bit_functions(Device& device) {
  const auto bits = kernel("bits", [](In<T> x, Out<T> y) {
    const auto i = global_id();
    y[i * 4u] = count_bits(x[i]);
    y[i * 4u + 1u] = leading_zeros(x[i]);
    y[i * 4u + 2u] = trailing_zeros(x[i]);
    y[i * 4u + 3u] = reverse_bits(x[i]);
  });
  auto x = numbers<T>(300);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(x[i] >> (i % (8 * sizeof(T))));
  x[7] = 0;
  const auto y = device.buffer<T>(1200).value();
  if (!ran(device, bits, 300, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t at) {
    const T v = x[at / 4];
    switch (at % 4) {
      case 0: return static_cast<T>(std::popcount(v));
      case 1: return static_cast<T>(std::countl_zero(v));
      case 2: return static_cast<T>(std::countr_zero(v));
      default: return reversed(v);
    }
  });
}

}  // namespace

CONFORMANCE_TEST(Corpus, BitFunctionsOfU8) { bit_functions<uint8_t>(device); }
CONFORMANCE_TEST(Corpus, BitFunctionsOfU16) { bit_functions<uint16_t>(device); }
CONFORMANCE_TEST(Corpus, BitFunctionsOfU32) { bit_functions<uint32_t>(device); }
CONFORMANCE_TEST(Corpus, BitFunctionsOfU64) { bit_functions<uint64_t>(device); }

CONFORMANCE_TEST(Corpus, ShiftsUseTheLowBitsOfTheirRightSide) {
  const auto shifts = kernel("shifts", [](In<int32_t> x, In<int32_t> by, Out<int32_t> y) {
    const auto i = global_id();
    y[i] = (x[i] << by[i]) ^ (x[i] >> by[i]) ^ cast<int32_t>(cast<int16_t>(x[i]) >> cast<int16_t>(by[i]));
  });
  const auto x = numbers<int32_t>(400, 1);
  const auto by = numbers<int32_t>(400, 2);
  const auto y = device.buffer<int32_t>(400).value();
  if (!ran(device, shifts, 400, device.upload(x).value(), device.upload(by).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    const auto left = static_cast<int32_t>(static_cast<uint32_t>(x[i]) << (by[i] & 31));
    return left ^ (x[i] >> (by[i] & 31)) ^ (int16_t(x[i]) >> (by[i] & 15));
  });
}

CONFORMANCE_TEST(Corpus, UpperHalvesOfProducts) {
  const auto high = kernel("high", [](In<uint32_t> x, In<uint32_t> y, Out<uint32_t> u, Out<int32_t> s) {
    const auto i = global_id();
    u[i] = mul_high(x[i], y[i]);
    s[i] = mul_high(bit_cast<int32_t>(x[i]), bit_cast<int32_t>(y[i]));
  });
  const auto x = numbers<uint32_t>(400, 1);
  const auto y = numbers<uint32_t>(400, 2);
  const auto u = device.buffer<uint32_t>(400).value();
  const auto s = device.buffer<int32_t>(400).value();
  if (!ran(device, high, 400, device.upload(x).value(), device.upload(y).value(), u, s)) return;
  expect_each(device, u, [&](std::size_t i) { return uint64_t{x[i]} * y[i] >> 32; });
  expect_each(device, s, [&](std::size_t i) { return int64_t{int32_t(x[i])} * int32_t(y[i]) >> 32; });
}

CONFORMANCE_TEST(Corpus, MinimaMaximaClampsAndAbsolutes) {
  const auto clamps = kernel("clamps", [](In<int32_t> x, Out<int32_t> y, Out<int32_t> small) {
    const auto i = global_id();
    y[i] = clamp(x[i], -1'000'000, 2'000'000) + min(x[i], 5) - max(x[i], -5) + abs(x[i]);
    small[i] = cast<int32_t>(clamp(cast<int8_t>(x[i]), int8_t{-20}, int8_t{30}));
  });
  const auto x = numbers<int32_t>(400);
  const auto y = device.buffer<int32_t>(400).value();
  const auto small = device.buffer<int32_t>(400).value();
  if (!ran(device, clamps, 400, device.upload(x).value(), y, small)) return;
  expect_each(device, y, [&](std::size_t i) {
    const int64_t v = x[i];
    const auto clamped = std::clamp<int64_t>(v, -1'000'000, 2'000'000);
    return clamped + std::min<int64_t>(v, 5) - std::max<int64_t>(v, -5) + std::abs(v);
  });
  expect_each(device, small, [&](std::size_t i) { return std::clamp(int(int8_t(x[i])), -20, 30); });
}

CONFORMANCE_TEST(Corpus, RoundingToIntegers) {
  const auto rounding = kernel("rounding", [](In<float> x, Out<float> y) {
    const auto i = global_id();
    y[i * 4u] = floor(x[i]);
    y[i * 4u + 1u] = ceil(x[i]);
    y[i * 4u + 2u] = trunc(x[i]);
    y[i * 4u + 3u] = round_even(x[i]);
  });
  auto x = numbers<float>(200);
  for (std::size_t i = 0; i < 40; ++i) x[i] = (static_cast<float>(i) - 20.0f) * 0.5f;  // halves
  const auto y = device.buffer<float>(800).value();
  if (!ran(device, rounding, 200, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t at) {
    const float v = x[at / 4];
    return at % 4 == 0   ? std::floor(v)
           : at % 4 == 1 ? std::ceil(v)
           : at % 4 == 2 ? std::trunc(v)
                         : std::nearbyint(v);
  });
}

CONFORMANCE_TEST(Corpus, SquareRootsWithinThreeUlp) {
  const auto roots =
      kernel("roots", [](In<float> x, Out<float> y) { y[global_id()] = sqrt(abs(x[global_id()])); });
  const auto x = numbers<float>(500);
  const auto y = device.buffer<float>(500).value();
  if (!ran(device, roots, 500, device.upload(x).value(), y)) return;
  expect_near(device, y, 3 * 1.2e-7, [&](std::size_t i) { return std::sqrt(std::abs(x[i])); });
}

CONFORMANCE_TEST(Corpus, RemaindersOfFloatsAreExact) {
  const auto remainders = kernel("remainders", [](In<float> x, In<float> y, Out<float> z) {
    z[global_id()] = x[global_id()] % y[global_id()];
  });
  const auto x = numbers<float>(300, 1);
  const auto y = numbers<float>(300, 2);
  const auto z = device.buffer<float>(300).value();
  if (!ran(device, remainders, 300, device.upload(x).value(), device.upload(y).value(), z)) return;
  expect_each(device, z, [&](std::size_t i) { return std::fmod(x[i], y[i]); });
}

CONFORMANCE_TEST(Corpus, FusedMultiplyAddsRoundOnce) {
  const auto fused = kernel("fused", [](In<float> x, In<float> y, In<float> z, Out<float> out) {
    const auto i = global_id();
    out[i] = fma(x[i], y[i], z[i]);
  });
  const auto x = numbers<float>(300, 1);
  const auto y = numbers<float>(300, 2);
  auto z = numbers<float>(300, 3);
  for (std::size_t i = 0; i < 100; ++i) z[i] = -x[i] * y[i];  // all but the rounding cancels
  const auto out = device.buffer<float>(300).value();
  if (!ran(device, fused, 300, device.upload(x).value(), device.upload(y).value(), device.upload(z).value(),
           out))
    return;
  // In f64 the products are exact, and so are the sums where it matters. Not every C library's fma() is.
  expect_each(device, out, [&](std::size_t i) { return static_cast<double>(x[i]) * y[i] + z[i]; });
}

CONFORMANCE_TEST(Corpus, ComparisonsAndSelections) {
  const auto compare = kernel("compare", [](In<float> x, In<float> y, Out<uint32_t> z) {
    const auto i = global_id();
    const Expr<float> a = x[i];
    const Expr<float> b = y[i];
    const auto bit = [](const Expr<bool>& set, uint32_t value) {
      return select(set, value, Expr<uint32_t>(0u));
    };
    z[i] = bit(a < b, 1) | bit(a <= b, 2) | bit(a == b, 4) | bit(a != b, 8) | bit(a >= b, 16) |
           bit(a > b, 32) | bit((a < b) | !(a != a), 64);
  });
  auto x = numbers<float>(90, 1);
  auto y = numbers<float>(90, 2);
  for (std::size_t i = 0; i < 30; ++i) y[i] = x[i];
  x[31] = y[32] = x[33] = y[33] = std::numeric_limits<float>::quiet_NaN();
  const auto z = device.buffer<uint32_t>(90).value();
  if (!ran(device, compare, 90, device.upload(x).value(), device.upload(y).value(), z)) return;
  expect_each(device, z, [&](std::size_t i) {
    const float a = x[i];
    const float b = y[i];
    return (a < b ? 1u : 0u) | (a <= b ? 2u : 0u) | (a == b ? 4u : 0u) | (a != b ? 8u : 0u) |
           (a >= b ? 16u : 0u) | (a > b ? 32u : 0u) | (a < b || !std::isnan(a) ? 64u : 0u);
  });
}

}  // namespace conformance
