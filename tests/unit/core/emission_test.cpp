// Kernel::emit: a kernel's code without a device.

#include <gtest/gtest.h>

#include <algorithm>
#include <collet_backends.hpp>

#include "collet/collet.hpp"

namespace collet {
namespace {

auto doubled() {
  return kernel("doubled", [](InOut<std::uint32_t> x) {
    const auto i = global_id();
    x[i] = x[i] * 2u;
  });
}

AnyKernel sum_of_subgroup(const std::string& type) {
  return AnyKernel::parse("kernel sums group(64, 1, 1) {\n  buffer x: " + type +
                          " inout\n  %0: u32 = global_id 0\n  %1: " + type + " = load x[%0]\n  %2: " + type +
                          " = subgroup_add %1\n  store x[%0], %2\n}\n")
      .value();
}

TEST(Emission, TheTextFormIsTheKernelItself) {
  const auto code = doubled().emit(Format::ir).value();
  EXPECT_EQ(code.format, Format::ir);
  EXPECT_EQ(code.bytes.rfind("kernel doubled group(64, 1, 1) {", 0), 0u) << code.bytes;
  EXPECT_EQ(code.bytes.find("element_count"), std::string::npos) << code.bytes;
  EXPECT_TRUE(AnyKernel::parse(code.bytes));
}

TEST(Emission, OtherFormatsAreGuardedAndHaveTheirGroup) {
  const auto code = doubled().with(group(128)).emit(Format::opencl_c).value();
  EXPECT_EQ(code.format, Format::opencl_c);
  EXPECT_NE(code.bytes.find("reqd_work_group_size(128, 1, 1)"), std::string::npos) << code.bytes;
  EXPECT_NE(code.bytes.find("void doubled("), std::string::npos) << code.bytes;
  EXPECT_NE(code.bytes.find("if ("), std::string::npos) << code.bytes;
}

TEST(Emission, AFormatThatNothingWritesIsRefusedByName) {
  const auto code = doubled().emit(Format::metallib);
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(code.error().message(), "This build writes no kernels in metallib.");
}

TEST(Emission, AKernelFromSourcesGivesWhatItWasMadeFrom) {
  const auto source = KernelSource<Out<float>>("k")
                          .opencl("kernel void k(global float* x) {}")
                          .glsl("void main() {}")
                          .kernel();
  const auto code = source.emit(Format::glsl).value();
  EXPECT_EQ(code.format, Format::glsl);
  EXPECT_EQ(code.bytes, "void main() {}");
  const auto none = source.emit(Format::wgsl);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(none.error().message(), "[Kernel \"k\"] was made from sources and has none in WGSL.");
  EXPECT_EQ(none.error().hint(), "It has: OpenCL C, GLSL.");
}

TEST(Emission, WhatWasWrongWithTheTraceIsTold) {
  const auto wrong = kernel("wrong", [](In<float>) { break_(); });
  const auto code = wrong.emit(Format::ir);
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().message(), "break_() is called outside a loop.");
}

TEST(Emission, SubgroupsAreWrittenForADeviceThatHasEverything) {
  const auto text = sum_of_subgroup("u64").emit(Format::opencl_c);
  ASSERT_TRUE(text) << text.error().describe();
  EXPECT_NE(text->bytes.find("sub_group_reduce_add"), std::string::npos) << text->bytes;
  const auto& features = text->features;
  for (const char* const one :
       {"64-bit integers", "subgroups", "subgroup arithmetic", "subgroups of 64-bit integers"}) {
    EXPECT_NE(std::find(features.begin(), features.end(), one), features.end()) << one;
  }
}

#if COLLET_HAS_SPIRV
TEST(Emission, WhatAFormatLacksIsRefusedByNameEvenWithoutADevice) {
  EXPECT_TRUE(sum_of_subgroup("u64").emit(Format::spirv_shader));
  const auto code = sum_of_subgroup("u32").emit(Format::spirv_kernel);
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(code.error().message(), "[Kernel \"sums\"] needs subgroups, which SPIR-V (kernel) lacks.");
}
#endif

}  // namespace
}  // namespace collet
