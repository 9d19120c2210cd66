// What WGPU_BACKEND asks for, and which files decide what WebGPU finds.

#include "backends/webgpu/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/variables.hpp"

namespace collet::backend::webgpu {
namespace {

using test::Variables;

constexpr abi::Flags kVulkan = 1, kOpenGl = 2, kMetal = 4, kDirect3d = 8;

TEST(WebGpuFiles, OpenGlIsTakenOnlyWhereItIsAskedFor) {
  for (const char* nothing : {static_cast<const char*>(nullptr), "", ","}) {
    const Variables variables{{"WGPU_BACKEND", nothing}};
    const auto choice = chosen_backend();
    ASSERT_TRUE(choice) << choice.error().message();
    EXPECT_EQ(choice->native_mask, kVulkan | kMetal | kDirect3d);
    EXPECT_EQ(choice->backend, abi::BackendType::undefined);
  }
  const Variables variables{{"WGPU_BACKEND", "gl"}};
  EXPECT_EQ(chosen_backend().value().native_mask, kOpenGl);
}

TEST(WebGpuFiles, SeveralApisMayBeNamedInAnyCase) {
  const Variables variables{{"WGPU_BACKEND", "Vulkan,,DX12"}};
  const auto choice = chosen_backend();
  ASSERT_TRUE(choice) << choice.error().message();
  EXPECT_EQ(choice->native_mask, kVulkan | kDirect3d);
  EXPECT_EQ(choice->backend, abi::BackendType::vulkan);
}

TEST(WebGpuFiles, AnApiThatNobodyKnowsIsNamed) {
  const Variables variables{{"WGPU_BACKEND", "vulkan,glide"}};
  const auto choice = chosen_backend();
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(choice.error().message(), "WGPU_BACKEND names an API that WebGPU has no way to (glide).");
}

TEST(WebGpuFiles, AreNoneWhereNoLibraryIsNamedOrFound) {
  Variables variables{{"COLLET_WEBGPU", nullptr}};
  const auto files = driver_files();
  if (files.empty()) {
    variables.set("COLLET_WEBGPU", "nonexistent.so");
    const auto named = driver_files();
    ASSERT_FALSE(named.empty());
    EXPECT_EQ(named[0].path, "nonexistent.so");
    EXPECT_EQ(named[0].problem, "missing");
  } else {
    EXPECT_EQ(files[0].problem, "");
  }
}

TEST(WebGpuFiles, VariablesOfTheLibraryAndOfVulkanDecide) {
  const auto names = driver_variables();
  for (const char* name : {"COLLET_WEBGPU", "WGPU_BACKEND", "VK_ICD_FILENAMES"})
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
}

}  // namespace
}  // namespace collet::backend::webgpu
