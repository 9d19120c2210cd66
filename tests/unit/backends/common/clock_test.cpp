// Of several readings of two clocks the shortest counts. The clocks here stand still but where a reading
// moves them.

#include "backends/common/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace collet::backend::common {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

// A device's clock that is the host's, read in calls that take as long as `durations` say, the last one again
// and again. The device is asked at the start of a call.
struct Clocks {
  explicit Clocks(std::vector<std::uint64_t> calls_take) : durations(std::move(calls_take)) {}

  Result<ClockSample> sample() {
    return sample_clocks(
        [this]() -> Result<std::uint64_t> {
          const std::uint64_t device = now;
          now += durations[std::min(calls++, durations.size() - 1)];
          return device;
        },
        [this] { return now; });
  }

  std::vector<std::uint64_t> durations;
  std::uint64_t now = 1'000 * kMillisecond;
  std::size_t calls = 0;
};

TEST(Clock, AReadingThatWasInterruptedDoesNotCount) {
  Clocks clocks({20 * kMillisecond, 1'000});
  const auto sample = clocks.sample();
  ASSERT_TRUE(sample);
  EXPECT_EQ(clocks.calls, 2U);
  EXPECT_EQ(sample->device_ns, 1'020 * kMillisecond);
  EXPECT_EQ(sample->host_ns, sample->device_ns + 500);  // the middle of the second call
}

TEST(Clock, AShortReadingIsTheOnlyOne) {
  Clocks clocks({50'000});
  ASSERT_TRUE(clocks.sample());
  EXPECT_EQ(clocks.calls, 1U);
}

TEST(Clock, OfEightLongReadingsTheShortestCounts) {
  Clocks clocks({9 * kMillisecond, 3 * kMillisecond, 8 * kMillisecond});
  const auto sample = clocks.sample();
  ASSERT_TRUE(sample);
  EXPECT_EQ(clocks.calls, 8U);
  EXPECT_EQ(sample->device_ns, 1'009 * kMillisecond);
  EXPECT_EQ(sample->host_ns, sample->device_ns + 3 * kMillisecond / 2);
}

TEST(Clock, TheHostsOwnClockIsReadWhereNoneIsGiven) {
  const std::uint64_t before = host_ns();
  const auto sample = sample_clocks([]() -> Result<std::uint64_t> { return 7U; });
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->device_ns, 7U);
  EXPECT_GE(sample->host_ns, before);
  EXPECT_LE(sample->host_ns, host_ns());
}

TEST(Clock, AnErrorOfTheReadingIsTheAnswer) {
  const auto sample = sample_clocks(
      []() -> Result<std::uint64_t> { return Error(ErrorCode::device_lost, Category::device, "Gone."); });
  ASSERT_FALSE(sample);
  EXPECT_EQ(sample.error().code(), ErrorCode::device_lost);
}

}  // namespace
}  // namespace collet::backend::common
