// What is read from a SPIR-V module: sizes, bindings and the group.

#include <gtest/gtest.h>

#include <collet_embedded/kernels.hpp>

#include "backends/common/spirv.hpp"

namespace collet::backend::common {
namespace {

TEST(SpirvReflect, MeasuresWhatAShaderDeclares) {
  const auto code = std::as_bytes(std::span(collet_embedded::reflected_spv));
  const auto module = reflect_spirv(code);
  ASSERT_TRUE(module) << module.error().message();
  ASSERT_EQ(module->entries.size(), 1u);
  const SpirvEntry& entry = module->entries[0];
  EXPECT_EQ(entry.name, "main");
  EXPECT_EQ(entry.group_size, (std::array<std::uint32_t, 3>{8, 4, 1}));
  EXPECT_EQ(entry.bindings, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_FALSE(entry.other_sets);
  EXPECT_FALSE(entry.other_resources);
  EXPECT_EQ(entry.push_constant_size, 4u + 4u + 3 * 8u + 5 * 4u);  // 4 to align the matrix
  EXPECT_EQ(entry.workgroup_bytes, 3 * (4u + 8u) + 4u);
}

TEST(SpirvReflect, WhatOnlyAtomicOperationsReachIsUsed) {
  const auto code = std::as_bytes(std::span(collet_embedded::atomics_spv));
  const auto module = reflect_spirv(code);
  ASSERT_TRUE(module) << module.error().message();
  ASSERT_EQ(module->entries.size(), 1u);
  EXPECT_EQ(module->entries[0].workgroup_bytes, 3 * 4u);
}

}  // namespace
}  // namespace collet::backend::common
