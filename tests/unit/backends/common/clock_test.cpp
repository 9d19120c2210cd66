// Of several readings of two clocks the shortest counts.

#include "backends/common/clock.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace collet::backend::common {
namespace {

TEST(Clock, AReadingThatWasInterruptedDoesNotCount) {
  int calls = 0;
  std::uint64_t seen = 0;  // by the host, as the device's clock, which is the same here
  const auto sample = sample_clocks([&]() -> Result<std::uint64_t> {
    const std::uint64_t now = host_ns();
    if (++calls == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the core is lost
    seen = now;
    return now;
  });
  ASSERT_TRUE(sample);
  EXPECT_GE(calls, 2);
  EXPECT_LE(sample->device_ns, seen);
  // The first call alone would have been wrong by 10 ms.
  EXPECT_LT(sample->host_ns - sample->device_ns, 5'000'000U);
}

TEST(Clock, AShortReadingIsTheOnlyOne) {
  int calls = 0;
  ASSERT_TRUE(sample_clocks([&]() -> Result<std::uint64_t> { return static_cast<std::uint64_t>(++calls); }));
  EXPECT_LT(calls, 8);  // 1 but where the machine is loaded
}

TEST(Clock, AnErrorOfTheReadingIsTheAnswer) {
  const auto sample = sample_clocks(
      []() -> Result<std::uint64_t> { return Error(ErrorCode::device_lost, Category::device, "Gone."); });
  ASSERT_FALSE(sample);
  EXPECT_EQ(sample.error().code(), ErrorCode::device_lost);
}

}  // namespace
}  // namespace collet::backend::common
