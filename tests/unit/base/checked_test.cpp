// Checked arithmetic against the same questions asked of 128-bit integers.

#include "base/checked.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace collet::base {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

// Values as they occur, and the neighbourhood of every edge where arithmetic goes wrong.
class Values {
 public:
  std::uint64_t next() {
    const std::uint64_t near = random_() % 5;
    switch (random_() % 8) {
      case 0: return near;
      case 1: return (std::uint64_t{1} << (random_() % 64)) + near - 2;
      case 2: return (std::uint64_t{1} << 32) + near - 2;
      case 3: return (std::uint64_t{1} << 63) + near - 2;
      case 4: return kMax - near;
      case 5: return random_();
      case 6: return random_() >> (random_() % 64);
      default: return random_() % 4096;
    }
  }
  std::uint64_t power_of_two() { return std::uint64_t{1} << (random_() % 64); }

 private:
  std::mt19937_64 random_{20240917};
};

std::optional<std::uint64_t> narrowed(Wide value) {
  if (value > kMax) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

bool fits(Wide offset, Wide count, Wide element_size, Wide bytes) {
  const Wide begin = offset * element_size, length = count * element_size;  // each below 2^128
  return begin <= bytes && length <= bytes && begin + length <= bytes;
}

bool overlap(Wide offset_a, Wide size_a, Wide offset_b, Wide size_b) {
  return std::max(offset_a, offset_b) < std::min(offset_a + size_a, offset_b + size_b);
}

// How many verdicts on one tuple are wrong.
int wrong_verdicts(Values& values) {
  const std::uint64_t size = values.next(), offset = values.next(), count = values.next(),
                      other = values.next();
  const std::uint64_t alignment = values.power_of_two();
  const std::uint64_t tight = narrowed((Wide{offset} + count) * (other % 64)).value_or(size);
  int wrong = 0;
  wrong += checked_add(offset, count) != narrowed(Wide{offset} + count);
  wrong += checked_mul(offset, count) != narrowed(Wide{offset} * count);
  wrong +=
      checked_round_up(size, alignment) != narrowed((Wide{size} + alignment - 1) / alignment * alignment);
  wrong += range_fits(offset, count, 1, size) != fits(offset, count, 1, size);
  wrong += range_fits(offset, count, other, size) != fits(offset, count, other, size);
  for (const std::uint64_t bytes : {tight - 1, tight, tight + 1}) {
    wrong += range_fits(offset, count, other % 64, bytes) != fits(offset, count, other % 64, bytes);
  }
  wrong += ranges_overlap(offset, count, other, size) != overlap(offset, count, other, size);
  wrong +=
      ranges_overlap(offset, count, offset + count, size) != overlap(offset, count, offset + count, size);
  return wrong;
}

TEST(Checked, RandomTuplesAgreeWith128BitArithmetic) {
  const char* asked = std::getenv("COLLET_TUPLES");
  const std::uint64_t tuples = asked == nullptr ? 50'000 : std::strtoull(asked, nullptr, 10);
  ASSERT_GT(tuples, 0u);
  Values values;
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < tuples; ++i) wrong += wrong_verdicts(values) != 0 ? 1 : 0;
  std::printf("%llu tuples, %llu wrong\n", static_cast<unsigned long long>(tuples),
              static_cast<unsigned long long>(wrong));
  EXPECT_EQ(wrong, 0u);
}

TEST(Checked, EveryCombinationOfEdgesAgreesWith128BitArithmetic) {
  constexpr std::array<std::uint64_t, 14> edges = {
      0,          1,           2,        15,           16,       0x7fffffff,   0x80000000,
      0xffffffff, 0x100000000, kMax / 2, kMax / 2 + 1, kMax - 1, kMax / 3 + 1, kMax};
  for (const auto a : edges) {
    for (const auto b : edges) {
      EXPECT_EQ(checked_add(a, b), narrowed(Wide{a} + b)) << a << " + " << b;
      EXPECT_EQ(checked_mul(a, b), narrowed(Wide{a} * b)) << a << " * " << b;
      for (const auto c : edges) {
        for (const auto d : edges) {
          EXPECT_EQ(range_fits(a, b, c, d), fits(a, b, c, d)) << a << ' ' << b << ' ' << c << ' ' << d;
          EXPECT_EQ(ranges_overlap(a, b, c, d), overlap(a, b, c, d)) << a << ' ' << b << ' ' << c << ' ' << d;
        }
      }
    }
  }
}

TEST(Checked, WorksAtCompileTime) {
  static_assert(checked_add(kMax, 0) == kMax && !checked_add(kMax, 1));
  static_assert(checked_mul(1ull << 32, (1ull << 32) - 1) && !checked_mul(1ull << 32, 1ull << 32));
  static_assert(checked_round_up(17, 16) == 32 && checked_round_up(0, 64) == 0 && !checked_round_up(kMax, 2));
  static_assert(range_fits(4, 0, 4, 16) && !range_fits(5, 0, 4, 16) && !range_fits(kMax, 1, 4, kMax));
  static_assert(ranges_overlap(0, 8, 7, 1) && !ranges_overlap(0, 8, 8, 8) && !ranges_overlap(4, 0, 0, 8));
}

}  // namespace
}  // namespace collet::base
