// Bounds of integers that are known ahead.

#include "kernel/ir/intervals.hpp"

#include <gtest/gtest.h>

#include "kernel/ir/text.hpp"

namespace collet::ir {
namespace {

// Of the value that is stored last.
std::optional<Interval> bounds_of(const std::string& body) {
  const auto kernel = parse("kernel k group(16, 4, 1) {\n  buffer y: u32 inout\n" + body + "}\n");
  EXPECT_TRUE(kernel) << kernel.error().message();
  Id stored = kNone;
  for (const Node& node : kernel->nodes) {
    if (node.op == Op::store) stored = node.arguments[1];
  }
  return find_intervals(*kernel)[stored];
}

void expect(const std::optional<Interval>& found, std::uint64_t low, std::uint64_t high) {
  ASSERT_TRUE(found);
  EXPECT_EQ(found->low, low);
  EXPECT_EQ(found->high, high);
}

TEST(Intervals, ArithmeticOfLocalIds) {
  expect(bounds_of(R"(
  %0: u32 = local_id 0
  %1: u32 = local_id 1
  %2: u32 = constant 16
  %3: u32 = mul %1, %2
  %4: u32 = add %3, %0
  store y[%0], %4
)"),
         0, 63);
}

TEST(Intervals, CountersWithConstantEnds) {
  expect(bounds_of(R"(
  %0: u32 = constant 3
  %1: u32 = constant 20
  %2: u32 = constant 1
  %3: u32 = range %0, %1, %2 {
    store y[%0], %3
  }
)"),
         3, 19);
}

TEST(Intervals, ARemainderIsBelowItsDivisor) {
  expect(bounds_of(R"(
  %0: u32 = global_id 0
  %1: u32 = constant 16
  %2: u32 = rem %0, %1
  store y[%0], %2
)"),
         0, 15);
}

TEST(Intervals, NothingIsKnownOfWhatMayWrap) {
  EXPECT_FALSE(bounds_of(R"(
  %0: u32 = local_id 0
  %1: u32 = constant 1
  %2: u32 = sub %0, %1
  store y[%0], %2
)"));
  EXPECT_FALSE(bounds_of(R"(
  %0: u32 = local_id 0
  %1: u32 = constant 2147483647
  %2: u32 = add %0, %1
  store y[%0], %2
)"));
}

TEST(Intervals, NothingIsKnownOfVariables) {
  EXPECT_FALSE(bounds_of(R"(
  %0: u32 = variable
  %1: u32 = constant 5
  set %0, %1
  %2: u32 = get %0
  store y[%1], %2
)"));
}

}  // namespace
}  // namespace collet::ir
