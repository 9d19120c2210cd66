// What is read of a PTX text.

#include "backends/cuda/ptx.hpp"

#include <gtest/gtest.h>

namespace collet::backend::cuda {
namespace {

TEST(Ptx, EntriesAreListedWithTheNumberOfTheirParameters) {
  const auto entries = ptx_entries(
      ".version 8.0\n.target sm_75\n.address_size 64\n"
      ".visible .entry saxpy(\n\t.param .u64 .ptr .align 1 saxpy_param_0,\n\t.param .u64 saxpy_param_1,\n"
      "\t.param .f32 saxpy_param_2\n)\n.maxntid 64\n{\n\tld.param.u64 %rd1, [saxpy_param_0];\n\tret;\n}\n"
      ".func helper(.param .b32 helper_param_0)\n{ ret; }\n"
      ".entry nothing()\n{ ret; }\n");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "saxpy");
  EXPECT_EQ(entries[0].parameters, 3u);
  EXPECT_EQ(entries[1].name, "nothing");
  EXPECT_EQ(entries[1].parameters, 0u);
}

TEST(Ptx, OfAnotherTextThereIsNothing) {
  EXPECT_TRUE(ptx_entries("").empty());
  EXPECT_TRUE(ptx_entries("this is no PTX").empty());
  for (const char* cut : {".entry ", ".entry x", ".entry x(", ".entry x(.param .u64 a", ".entry ("})
    EXPECT_LE(ptx_entries(cut).size(), 1u) << cut;
}

}  // namespace
}  // namespace collet::backend::cuda
