// The fused multiply-add in integers: the bits of a C library that rounds once, or of the processor.

#include "kernel/ir/fused.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace collet::ir {
namespace {

#if defined(__SIZEOF_INT128__) && defined(__x86_64__)
[[gnu::target("fma")]] float by_processor(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
[[gnu::target("fma")]] double by_processor(double a, double b, double c) { return __builtin_fma(a, b, c); }

bool has_instruction() { return __builtin_cpu_supports("fma") != 0; }

template <class T, class Bits>
class Fused {
 public:
  static void expect(T a, T b, T c) {
    const T found = fused_in_integers(a, b, c);
    const T wanted = by_processor(a, b, c);
    if (std::isnan(wanted) && std::isnan(found)) return;
    EXPECT_EQ(std::bit_cast<Bits>(found), std::bit_cast<Bits>(wanted))
        << std::hexfloat << a << " * " << b << " + " << c << " is " << found << ", expected " << wanted;
  }

  static std::vector<T> edges() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> all;
    for (const T value :
         {T{0}, T{1}, T{3}, static_cast<T>(0.1), 1 + Limits::epsilon(), Limits::max(), Limits::min(),
          Limits::denorm_min(), Limits::min() - Limits::denorm_min(), Limits::infinity(), Limits::quiet_NaN(),
          1 / Limits::epsilon(), 2 / Limits::epsilon() - 1}) {
      all.push_back(value);
      all.push_back(-value);
    }
    return all;
  }

  static void run(int rounds) {
    if (!has_instruction()) GTEST_SKIP() << "This processor has no fused multiply-add to compare with.";
    for (const T a : edges()) {
      for (const T b : edges()) {
        for (const T c : edges()) expect(a, b, c);
      }
    }
    std::mt19937_64 random(1);
    for (int i = 0; i < rounds && !testing::Test::HasFailure(); ++i) {
      const T a = std::bit_cast<T>(static_cast<Bits>(random()));
      const T b = std::bit_cast<T>(static_cast<Bits>(random()));
      expect(a, b, std::bit_cast<T>(static_cast<Bits>(random())));
      // Of about the size of the product, so that much of it goes away; and near the smallest numbers.
      const int far = static_cast<int>(random() % 140) - 70;
      const T x = std::ldexp(static_cast<T>(random() >> 8), -56);
      const T y = std::ldexp(static_cast<T>(random() >> 8), -56);
      expect(x, y, -x * y);
      expect(x, -y, std::ldexp(x, far));
      expect(x * std::numeric_limits<T>::min(), y, std::ldexp(std::numeric_limits<T>::min(), far % 30));
    }
  }
};

TEST(Fused, SinglesAreThoseOfTheProcessor) { Fused<float, std::uint32_t>::run(200'000); }
TEST(Fused, DoublesAreThoseOfTheProcessor) { Fused<double, std::uint64_t>::run(200'000); }

TEST(Fused, TheLastBitOfAProductDecidesBetweenTwoThatAreEquallyNear) {
  // 2^74 + 1 beside 2^127: the 1 is 127 bits below the first.
  EXPECT_EQ(fused_in_integers(81500988506705.0, 231769777.0, 0x1p127), 0x1p127 + 0x1p75);
}
#endif

TEST(Fused, RoundsOnce) {
  // The product ends in a bit that a product rounded on its own has lost.
  EXPECT_EQ(fused(1 + 0x1p-52, 1 - 0x1p-52, -1.0), -0x1p-104);
  EXPECT_EQ(fused(1 + 0x1p-23f, 1 - 0x1p-23f, -1.0f), -0x1p-46f);
  // The sum lies a little above the middle of two doubles, and MinGW's fma() takes the lower.
  EXPECT_EQ(fused(-7.3, -7.3, -1.0), 0x1.a251eb851eb85p+5);
}

}  // namespace
}  // namespace collet::ir
