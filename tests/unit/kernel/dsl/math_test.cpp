// The functions of the kernel language against f64, on the CPU: a sample by the interpreter, every float by
// native code.

#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>
#include <thread>

#include "math_functions.hpp"

namespace collet {
namespace {

struct Worst {
  double ulps = 0;
  float x = 0, y = 0, got = 0;
};

constexpr std::uint64_t kEveryFloat = std::uint64_t{1} << 32;

// COLLET_MATH_VALUES is how many arguments each function gets; 2^32 is every float. Pairs are a sample
// anyway: at most 2^28.
std::uint64_t values(const test::MathFunction& function) {
  const char* asked = std::getenv("COLLET_MATH_VALUES");
  const std::uint64_t count = asked == nullptr ? std::uint64_t{1} << 20 : std::strtoull(asked, nullptr, 10);
  return function.two_arguments ? std::min(count, std::uint64_t{1} << 28) : count;
}

class Math : public testing::TestWithParam<test::MathFunction> {};

TEST_P(Math, StaysWithinItsBound) {
  const test::MathFunction& function = GetParam();
  const std::uint64_t total = values(function);
  const CpuTier tier = total < kEveryFloat ? CpuTier::interpreter : CpuTier::native;
  const auto device = Device::open("cpu", {.cpu_tier = tier}).value();
  const auto kernel = test::math_kernel(function);
  // An odd distance reaches every float once in 2^32 steps.
  const auto spread = static_cast<std::uint32_t>(total >= kEveryFloat ? 1 : (kEveryFloat / total) | 1);
  constexpr std::uint64_t kChunk = 1 << 16;
  std::mutex lock;
  Worst worst;
  const auto share = [&](std::uint64_t thread) {
    auto stream = device.stream();
    const auto x = device.buffer<float>(kChunk).value();
    const auto y = device.buffer<float>(kChunk).value();
    const auto out = device.buffer<float>(kChunk).value();
    std::vector<float> got(kChunk);
    Worst mine;
    for (std::uint64_t begin = thread * kChunk; begin < total; begin += 2 * kChunk) {
      const auto arguments = test::math_arguments(function.two_arguments, begin, kChunk, spread);
      stream.upload(arguments.x, x);
      stream.upload(arguments.y, y);
      stream.launch(kernel, kChunk, x, y, out);
      stream.download(out, std::span(got));
      stream.wait().value();
      for (std::size_t i = 0; i < kChunk; ++i) {
        const double off = test::ulps_between(got[i], function.exact(arguments.x[i], arguments.y[i]));
        if (off > mine.ulps) mine = {off, arguments.x[i], arguments.y[i], got[i]};
      }
    }
    const std::lock_guard guard(lock);
    if (mine.ulps > worst.ulps) worst = mine;
  };
  std::thread other(share, 1);
  share(0);
  other.join();
  EXPECT_LE(worst.ulps, function.bound)
      << function.name << "(" << worst.x << ", " << worst.y << ") gave " << worst.got;
  std::printf("%.*s: %llu values by the %s tier, at most %.3f ULP (bound %g) at (%a, %a)\n",
              static_cast<int>(function.name.size()), function.name.data(),
              static_cast<unsigned long long>(total), tier == CpuTier::native ? "native" : "interpreter",
              worst.ulps, function.bound, static_cast<double>(worst.x), static_cast<double>(worst.y));
}

INSTANTIATE_TEST_SUITE_P(Functions, Math, testing::ValuesIn(test::kMathFunctions),
                         [](const auto& one) { return std::string(one.param.name); });

#ifndef __MINGW32__
TEST(MathReference, SinesOfWhatWasReducedAreThoseOfTheCLibrary) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(x) || std::fabs(x) < 1) continue;
    const double sine = std::sin(static_cast<double>(x));
    const double cosine = std::cos(static_cast<double>(x));
    ASSERT_NEAR(test::sine_after(x, 0), sine, std::fabs(sine) * 0x1p-45) << x;
    ASSERT_NEAR(test::sine_after(x, 1), cosine, std::fabs(cosine) * 0x1p-45) << x;
  }
}
#endif

}  // namespace
}  // namespace collet
