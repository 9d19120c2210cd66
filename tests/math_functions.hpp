// The functions of the kernel language, what they must give, and how far they may be off.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include <collet/collet.hpp>

namespace collet::test {

// One function: a kernel of it, the exact value in f64, and its bound where the device divides right and
// where it may be off by 2.5 ULP.
struct MathFunction {
  std::string_view name;
  double bound;
  double loose_bound;
  double (*exact)(double, double);
  bool two_arguments;
};

// Errors of f32 in units in the last place of `want`; a wrong special value is infinitely far off.
inline double ulps_between(float got, double want) {
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : wrong;
  if (want == 0) return got == 0 && std::signbit(got) == std::signbit(want) ? 0 : wrong;
  if (static_cast<float>(want) == got) {
    if (std::isinf(got)) return 0;
  } else if (std::signbit(got) != std::signbit(want)) {
    return wrong;
  }
  const int exponent =
      static_cast<int>(std::bit_cast<std::uint64_t>(want) >> 52 & 0x7ff) - 1022;  // as of frexp()
  const int of_unit = std::min(std::max(exponent - 24, -149), 104);
  const auto unit = std::bit_cast<double>(static_cast<std::uint64_t>(of_unit + 1023) << 52);
  // Infinity stands one step beyond the largest float.
  const double most = 0x1p128;
  const double a = std::isinf(got) ? std::copysign(most, got) : got;
  const double b = std::isinf(want) || std::fabs(want) > most ? std::copysign(most, want) : want;
  return std::fabs(a - b) / unit;
}

// sin(x + turns * pi / 2) of a finite f32, its argument reduced without any error that counts: MinGW's sin()
// and cos() are wrong for large ones.
inline double sine_after(float x, std::uint32_t turns) {
  // The first 256 bits of 2 / pi.
  constexpr std::uint64_t kTurnsPerUnit[] = {0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u,
                                             0xfe5163abdebbc561u};
  int exponent = 0;
  const auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 24));
  const int skipped = exponent - 24 - 2;  // bits that only make whole rounds of four quarter turns
  // The 96 bits after those, as three words: the quarter turns stand in the first two bits of the product.
  std::uint64_t words[3] = {};
  for (int bit = 0; bit < 96; ++bit) {
    const int at = skipped + bit;
    const std::uint64_t one = at < 0 || at > 255 ? 0 : kTurnsPerUnit[at / 64] >> (63 - at % 64) & 1;
    words[bit / 32] = words[bit / 32] << 1 | one;
  }
  const auto size = static_cast<std::uint64_t>(std::abs(whole));
  std::uint64_t low = words[2] * size;
  std::uint64_t middle = words[1] * size + (low >> 32);
  const std::uint64_t high = words[0] * size + (middle >> 32);
  const std::uint64_t round = high << 32 | (middle & 0xffffffffu);  // of 2^64 parts
  // The nearest quarter turn, and what is left of it.
  const std::uint64_t quarter = (round + (std::uint64_t{1} << 61)) >> 62;
  const auto left = static_cast<std::int64_t>(round - (quarter << 62));
  const double angle =
      (std::ldexp(static_cast<double>(left), -62) + std::ldexp(static_cast<double>(low & 0xffffffffu), -94)) *
      std::numbers::pi / 2;
  const bool back = whole < 0;
  const std::uint64_t turn = (back ? 0 - quarter : quarter) + turns;
  const double rest = back ? -angle : angle;
  const double found = turn % 2 == 0 ? std::sin(rest) : std::cos(rest);
  return turn % 4 < 2 ? found : -found;
}

#ifdef __MINGW32__
inline double exact_sine(double x) {
  return std::fabs(x) < 1 || !std::isfinite(x) ? std::sin(x) : sine_after(static_cast<float>(x), 0);
}
inline double exact_cosine(double x) {
  return std::fabs(x) < 1 || !std::isfinite(x) ? std::cos(x) : sine_after(static_cast<float>(x), 1);
}
#else
inline double exact_sine(double x) { return std::sin(x); }
inline double exact_cosine(double x) { return std::cos(x); }
#endif

inline constexpr MathFunction kMathFunctions[] = {
#define COLLET_EXACT(expression) +[](double x, [[maybe_unused]] double y) -> double { return expression; }
    {"exp", 2, 2, COLLET_EXACT(std::exp(x)), false},
    {"exp2", 2, 2, COLLET_EXACT(std::exp2(x)), false},
    {"log", 2, 2, COLLET_EXACT(std::log(x)), false},
    {"log2", 2, 2, COLLET_EXACT(std::log2(x)), false},
    {"rsqrt", 2, 2, COLLET_EXACT(1 / std::sqrt(x)), false},
    {"erf", 2, 2, COLLET_EXACT(std::erf(x)), false},
    {"sin", 2, 2, COLLET_EXACT(exact_sine(x)), false},
    {"cos", 2, 2, COLLET_EXACT(exact_cosine(x)), false},
    {"tan", 2, 2, COLLET_EXACT(std::tan(x)), false},
    {"asin", 2, 2, COLLET_EXACT(std::asin(x)), false},
    {"acos", 2, 2, COLLET_EXACT(std::acos(x)), false},
    {"atan", 2, 2, COLLET_EXACT(std::atan(x)), false},
    {"sinh", 2, 3, COLLET_EXACT(std::sinh(x)), false},
    {"cosh", 2, 3, COLLET_EXACT(std::cosh(x)), false},
    {"tanh", 2, 3, COLLET_EXACT(std::tanh(x)), false},
    {"sqrt", 0.5, 3, COLLET_EXACT(std::sqrt(x)), false},
    {"round", 0, 0, COLLET_EXACT(std::round(x)), false},
    {"round_even", 0, 0, COLLET_EXACT(std::nearbyint(x)), false},
    {"floor", 0, 0, COLLET_EXACT(std::floor(x)), false},
    {"ceil", 0, 0, COLLET_EXACT(std::ceil(x)), false},
    {"trunc", 0, 0, COLLET_EXACT(std::trunc(x)), false},
    {"pow", 2, 2, COLLET_EXACT(std::pow(x, y)), true},
    {"atan2", 2, 2, COLLET_EXACT(std::atan2(x, y)), true},
#undef COLLET_EXACT
};

// out[i] = function(x[i], y[i])
inline Kernel<In<float>, In<float>, Out<float>> math_kernel(const MathFunction& function) {
  const std::string_view name = function.name;
  return kernel("math", [&](In<float> in, In<float> in2, Out<float> out) {
    const auto i = global_id();
    const Expr<float> x = in[i];
#define COLLET_CALL(f) \
  if (name == #f) out[i] = f(x);
    COLLET_CALL(exp)
    COLLET_CALL(exp2)
    COLLET_CALL(log)
    COLLET_CALL(log2)
    COLLET_CALL(rsqrt)
    COLLET_CALL(erf)
    COLLET_CALL(sin)
    COLLET_CALL(cos)
    COLLET_CALL(tan)
    COLLET_CALL(asin)
    COLLET_CALL(acos)
    COLLET_CALL(atan)
    COLLET_CALL(sinh)
    COLLET_CALL(cosh)
    COLLET_CALL(tanh)
    COLLET_CALL(sqrt)
    COLLET_CALL(round)
    COLLET_CALL(round_even)
    COLLET_CALL(floor)
    COLLET_CALL(ceil)
    COLLET_CALL(trunc)
#undef COLLET_CALL
    if (name == "pow") out[i] = pow(x, in2[i]);
    if (name == "atan2") out[i] = atan2(x, in2[i]);
  });
}

inline const std::vector<float>& special_floats() {
  static const auto& kept = *new std::vector<float>{
      0.0f,        -0.0f,      1.0f,       -1.0f,      0.5f,      -0.5f,      1.5f,       2.0f,
      -2.0f,       2.5f,       3.0f,       -3.0f,      0x1p-149f, -0x1p-149f, 0x1p-126f,  0x1.fffffep127f,
      INFINITY,    -INFINITY,  NAN,        0x1p23f,    0x1p24f,   -0x1p24f,   16777215.f, 8388607.5f,
      88.72284f,   -103.97f,   -87.3366f,  3216.0f,    3217.0f,   1e30f,      0.921875f,  0.6f,
      0.99999994f, 1.0000001f, 1.5707964f, 3.1415927f, -0x1p-30f, 0x1p-60f,   0x1p100f,   -0x1.fffffep127f};
  return kept;
}

// Arguments number `begin` to `begin + count` of a sequence that begins with the special values. One argument
// takes every bit pattern once within 2^32; of two, a quarter are any floats, and the others make powers that
// are neither 0 nor infinite, and quotients near 1.
struct Arguments {
  std::vector<float> x, y;
};
inline Arguments math_arguments(bool two, std::uint64_t begin, std::size_t count, std::uint32_t spread) {
  Arguments made{std::vector<float>(count), std::vector<float>(count)};
  const auto& special = special_floats();
  std::mt19937_64 random(begin + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t n = begin + i;
    if (!two) {
      made.x[i] = spread != 1 && n < special.size()
                      ? special[n]
                      : std::bit_cast<float>(static_cast<std::uint32_t>(n * spread));
      continue;
    }
    if (n < special.size() * special.size()) {
      made.x[i] = special[n % special.size()];
      made.y[i] = special[n / special.size()];
      continue;
    }
    const std::uint64_t bits = random();
    const auto low = static_cast<std::uint32_t>(bits);
    const auto high = static_cast<std::uint32_t>(bits >> 32);
    const double unit = high * 0x1p-32 - 0.5;
    made.x[i] = std::bit_cast<float>(low);
    made.y[i] = std::bit_cast<float>(high);
    switch (n % 4) {
      case 1: made.y[i] = static_cast<float>(made.x[i] * (1.5 + unit)); break;
      case 2:
        made.x[i] = 1.0f + static_cast<float>(static_cast<int>(low & 0xffff) - 32768) * 0x1p-20f;
        [[fallthrough]];
      case 3:
        made.x[i] = std::fabs(made.x[i]);
        made.y[i] = static_cast<float>(unit * 300 / std::log2(static_cast<double>(made.x[i])));
        break;
      default: break;
    }
  }
  return made;
}

}  // namespace collet::test
