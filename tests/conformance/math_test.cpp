// The library's own functions keep their bounds on every device.

#include "conformance/conformance.hpp"
#include "math_functions.hpp"

namespace conformance {
using namespace collet;
namespace {

constexpr double kLeastNormal = 0x1p-126;

float flushed(float x) { return std::fabs(x) < kLeastNormal ? std::copysign(0.0f, x) : x; }

// A device may take 0 for whatever is denormal on the way in or out.
double off(const test::MathFunction& function, float x, float y, float got) {
  double least = std::numeric_limits<double>::infinity();
  for (const float a : {x, flushed(x)}) {
    for (const float b : {y, flushed(y)}) {
      const double want = function.exact(a, b);
      // What rounds to the least normal number may have come from below it.
      if (std::fabs(want) < kLeastNormal * 1.00001 && got == 0) return 0;
      least = std::min(least, test::ulps_between(got, want));
    }
  }
  return least;
}

void check(const Device& device, std::string_view name) {
  const auto found = std::ranges::find(test::kMathFunctions, name, &test::MathFunction::name);
  ASSERT_NE(found, std::end(test::kMathFunctions));
  const test::MathFunction& function = *found;
  constexpr std::size_t kCount = 8192;
  const auto arguments = test::math_arguments(function.two_arguments, 0, kCount, 0x80003u);
  const auto x = device.upload(arguments.x).value();
  const auto y = device.upload(arguments.y).value();
  const auto out = device.buffer<float>(kCount).value();
  auto stream = device.stream();
  stream.launch(test::math_kernel(function), kCount, x, y, out);
  std::vector<float> got(kCount);
  stream.download(out, std::span(got));
  ASSERT_OK(stream.wait());
  for (std::size_t i = 0; i < kCount; ++i) {
    const double ulps = off(function, arguments.x[i], arguments.y[i], got[i]);
    ASSERT_LE(ulps, function.loose_bound)
        << name << "(" << arguments.x[i] << ", " << arguments.y[i] << ") gave " << got[i] << " for "
        << function.exact(arguments.x[i], arguments.y[i]);
  }
}

}  // namespace

#define COLLET_MATH_TEST(name) \
  CONFORMANCE_TEST(Math, name) { check(device, #name); }
COLLET_MATH_TEST(exp)
COLLET_MATH_TEST(exp2)
COLLET_MATH_TEST(log)
COLLET_MATH_TEST(log2)
COLLET_MATH_TEST(rsqrt)
COLLET_MATH_TEST(erf)
COLLET_MATH_TEST(sin)
COLLET_MATH_TEST(cos)
COLLET_MATH_TEST(tan)
COLLET_MATH_TEST(asin)
COLLET_MATH_TEST(acos)
COLLET_MATH_TEST(atan)
COLLET_MATH_TEST(sinh)
COLLET_MATH_TEST(cosh)
COLLET_MATH_TEST(tanh)
COLLET_MATH_TEST(sqrt)
COLLET_MATH_TEST(round)
COLLET_MATH_TEST(round_even)
COLLET_MATH_TEST(floor)
COLLET_MATH_TEST(ceil)
COLLET_MATH_TEST(trunc)
COLLET_MATH_TEST(pow)
COLLET_MATH_TEST(atan2)
#undef COLLET_MATH_TEST

}  // namespace conformance
