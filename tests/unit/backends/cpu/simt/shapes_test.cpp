// What both CPU tiers know about a group of items.

#include "backends/cpu/simt/shapes.hpp"

#include <gtest/gtest.h>

#include "kernel/ir/text.hpp"

namespace collet::backend::cpu {
namespace {

bool whole_group(const std::string& body) {
  const auto kernel = ir::parse("kernel k group(16, 1, 1) {\n  buffer y: u32 inout\n%0: u32 = global_id 0\n" +
                                body + "  store y[%0], %0\n}\n");
  EXPECT_TRUE(kernel) << kernel.error().message();
  return kernel && find_shapes(*kernel).whole_group;
}

TEST(Shapes, ItemsMeetAtBarriersAndInSubgroups) {
  for (const char* body :
       {"barrier\n", "%1: u32 = uniform %0\n", "%1: u32 = subgroup_lane 0\n", "%1: u32 = subgroup_id 0\n",
        "%1: u32 = subgroup_add %0\n", "%1: u32 = subgroup_shuffle %0, %0\n"})
    EXPECT_TRUE(whole_group(body)) << body;
}

TEST(Shapes, OtherItemsGoTheirOwnWay) {
  for (const char* body :
       {"", "%1: u32 = load y[%0]\n", "%1: u32 = add %0, %0\n", "%1: u32 = atomic_add y[%0], %0\n"})
    EXPECT_FALSE(whole_group(body)) << body;
}

}  // namespace
}  // namespace collet::backend::cpu
