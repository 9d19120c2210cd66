// Deadlines at the edges of the clock.

#include "collet/deadline.hpp"

#include <gtest/gtest.h>

namespace collet {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using Clock = Deadline::Clock;

TEST(Deadline, IsNeverUnlessSaidOtherwise) {
  EXPECT_TRUE(Deadline().forever());
  EXPECT_TRUE(kForever.forever());
  EXPECT_FALSE(kForever.passed());
  EXPECT_EQ(kForever.left(), Clock::duration::max());
}

TEST(Deadline, PassesAtItsMoment) {
  EXPECT_TRUE(Deadline(Clock::now()).passed());
  EXPECT_FALSE(Deadline::in(hours(1)).passed());
  EXPECT_EQ(Deadline(Clock::now() - seconds(1)).left(), Clock::duration::zero());
  EXPECT_GT(Deadline::in(hours(1)).left(), hours(1) - seconds(10));
  EXPECT_LE(Deadline::in(hours(1)).left(), hours(1));
}

TEST(Deadline, ANegativeSpanHasPassed) {
  EXPECT_TRUE(Deadline::in(-hours(1)).passed());
  EXPECT_TRUE(Deadline::in(Clock::duration::min()).passed());
}

TEST(Deadline, ASpanBeyondTheClockIsForever) {
  EXPECT_TRUE(Deadline::in(Clock::duration::max()).forever());
  EXPECT_TRUE(Deadline::in(Clock::time_point::max() - Clock::now()).forever());
  EXPECT_FALSE(Deadline::in(hours(24 * 365 * 100)).forever());
}

}  // namespace
}  // namespace collet
