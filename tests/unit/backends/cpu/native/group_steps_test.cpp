// How indices grow from group to group.

#include "backends/cpu/native/group_steps.hpp"

#include <gtest/gtest.h>

#include "kernel/ir/text.hpp"

namespace collet::backend::cpu::native {
namespace {

// Of the last value.
std::optional<std::uint32_t> step_of(const std::string& body) {
  const auto kernel =
      ir::parse("kernel k group(16, 4, 1) {\n  buffer y: u32 inout\n  value n: u32\n" + body + "}\n");
  EXPECT_TRUE(kernel) << kernel.error().message();
  return find_group_steps(*kernel).back();
}

const std::string kValues =
    "%0: u32 = global_id 0\n%1: u32 = group_id 0\n%2: u32 = global_id 1\n%3: u32 = parameter n\n%4: u32 = "
    "constant 3\n";

TEST(NativeGroupSteps, GlobalIdsGrowByTheGroupsSize) {
  EXPECT_EQ(step_of("%0: u32 = global_id 0\n"), 16u);
  EXPECT_EQ(step_of("%0: u32 = group_id 0\n"), 1u);
  EXPECT_EQ(step_of("%0: u32 = global_id 1\n"), 0u);
  EXPECT_EQ(step_of("%0: u32 = local_id 0\n"), 0u);
  EXPECT_EQ(step_of("%0: u32 = parameter n\n"), 0u);
}

TEST(NativeGroupSteps, SumsAndProductsWithConstants) {
  EXPECT_EQ(step_of(kValues + "%5: u32 = add %0, %1\n"), 17u);
  EXPECT_EQ(step_of(kValues + "%5: u32 = sub %1, %0\n"), 0u - 15u);
  EXPECT_EQ(step_of(kValues + "%5: u32 = mul %0, %4\n"), 48u);
  EXPECT_EQ(step_of(kValues + "%5: u32 = mul %4, %1\n"), 3u);
  EXPECT_EQ(step_of(kValues + "%5: i32 = bitcast %0\n%6: i32 = negate %5\n"), 0u - 16u);
  EXPECT_EQ(step_of(kValues + "%5: u32 = mul %2, %3\n%6: u32 = add %5, %0\n"), 16u);
}

TEST(NativeGroupSteps, NothingIsKnownOfTheRest) {
  EXPECT_EQ(step_of(kValues + "%5: u32 = mul %0, %3\n"), std::nullopt);
  EXPECT_EQ(step_of(kValues + "%5: u32 = div %0, %4\n"), std::nullopt);
  EXPECT_EQ(step_of(kValues + "%5: u32 = load y[%2]\n"), std::nullopt);
  EXPECT_EQ(step_of(kValues + "%5: u32 = load y[%2]\n%6: u32 = add %0, %5\n"), std::nullopt);
  EXPECT_EQ(step_of(kValues + "%5: u32 = variable\n%6: u32 = get %5\n"), std::nullopt);
}

}  // namespace
}  // namespace collet::backend::cpu::native
