// What collet-bench --check makes of rows.

#include "limits.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace collet::bench {
namespace {

Row counted(std::string unit, double ours, double budget) {
  DeviceInfo null;
  null.backend = "null";
  return budget_row("a count", null, ours, budget, std::move(unit));
}

Row compared(std::string name, std::string reference, double ratio, std::string tier = {}) {
  DeviceInfo device;
  device.backend = "vulkan";
  return {.name = std::move(name),
          .device = device,
          .ours = ratio * 20,
          .reference = 20,
          .reference_name = std::move(reference),
          .unit = "us",
          .bounds = Ratio{ratio, ratio, ratio},
          .pairs = 1,
          .tier = std::move(tier)};
}

TEST(BenchLimits, OneAllocationWhereNoneIsAllowedIsMissed) {
  EXPECT_FALSE(is_missed(counted("allocations", 0, 0)));
  EXPECT_TRUE(is_missed(counted("allocations", 1, 0)));
}

TEST(BenchLimits, CountsHaveNoSlackAndTimesHave) {
  EXPECT_FALSE(is_missed(counted("instructions", 1000, 1000)));
  EXPECT_TRUE(is_missed(counted("instructions", 1001, 1000)));
  EXPECT_TRUE(is_missed(counted("bytes", 25, 24)));
  EXPECT_FALSE(is_missed(counted("us", 1.55, 1.5)));
  EXPECT_TRUE(is_missed(counted("us", 1.6, 1.5)));
}

TEST(BenchLimits, ASlowLaunchIsMissed) {
  EXPECT_FALSE(is_missed(compared("launch+wait", "record + fence", 1.08)));
  EXPECT_TRUE(is_missed(compared("launch+wait", "record + fence", 1.09)));
  EXPECT_TRUE(is_missed(compared("1,000 launches, one wait", "one clFinish", 1.09)));
  EXPECT_FALSE(is_missed(compared("launch+wait, 64 groups", "OpenMP fork/join", 1.1)));
  EXPECT_TRUE(is_missed(compared("launch+wait, 64 groups", "OpenMP fork/join", 1.9)));
}

TEST(BenchLimits, AFigureThatIsNoNumberIsMissed) {
  EXPECT_TRUE(is_missed(counted("us", std::numeric_limits<double>::quiet_NaN(), 1.5)));
}

TEST(BenchLimits, TheStrictestLimitOfAKernelCounts) {
  const std::string pocl = "hand-written OpenCL C on PoCL";
  EXPECT_TRUE(is_missed(compared("tiled matmul 512", pocl, 0.05, "native")));
  EXPECT_FALSE(is_missed(compared("tiled matmul 512", pocl, 0.05, "interpreter")));
  EXPECT_FALSE(is_missed(compared("stencil 2048^2", pocl, 0.9, "native")));
  EXPECT_TRUE(is_missed(compared("stencil 2048^2", "hand-written OpenCL C", 1.2)));
}

TEST(BenchLimits, RowsForInformationHaveNone) {
  Row row = compared("launch+wait", "record + fence", 5);
  row.information = true;
  EXPECT_FALSE(limit_of(row));
  EXPECT_FALSE(limit_of(compared("stencil 2048^2", "hand-written OpenCL C on PoCL", 12, "interpreter")));
}

TEST(BenchLimits, TheSentenceNamesDeviceCaseAndFigures) {
  const Row rows[] = {compared("launch+wait", "record + fence", 1.5), counted("allocations", 0, 0)};
  EXPECT_EQ(missed_limits(rows),
            std::vector<std::string>{
                "vulkan:0 launch+wait: 30 us is more than the 21.63 allowed, 1.03 times the 20 "
                "of record + fence, with 5 % for noise."});
}

}  // namespace
}  // namespace collet::bench
