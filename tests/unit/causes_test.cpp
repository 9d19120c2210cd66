// Causes that only a bad driver or loader brings about: each from the place that raises it.

#include <gtest/gtest.h>

#include "collet/collet.hpp"
#include "platform/platform.hpp"
#ifdef COLLET_HAS_OPENCL
#include "backends/opencl/device.hpp"
#endif
#ifdef COLLET_HAS_VULKAN
#include "backends/vulkan/device.hpp"
#include "backends/vulkan/errors.hpp"
#endif

namespace collet {
namespace {

TEST(Causes, AStreamForCopiesThatIsGivenALaunchIsQueueFailed) {
  const Device device = Device::open("null").value();
  const auto x = device.buffer<float>(64).value();
  Stream stream = device.stream({.label = "copies", .transfer_only = true});
  stream.launch(KernelSource<InOut<float>>("k").cpu([](Item, std::span<float>) {}).kernel(), 64, x);
  EXPECT_EQ(stream.wait().error().cause(), Cause::queue_failed);
}

#ifdef COLLET_HAS_OPENCL
using backend::opencl::Api;
using backend::opencl::Candidate;
using backend::opencl::OpenClDevice;

TEST(Causes, ALoaderWithoutOpenClsFunctionsIsSymbolMissing) {
#ifdef _WIN32
  constexpr const char* kOther = "kernel32.dll";
#elif defined(__APPLE__)
  constexpr const char* kOther = "libSystem.dylib";
#else
  constexpr const char* kOther = "libm.so.6";
#endif
  const auto library = platform::Library::open({&kOther, 1});
  ASSERT_TRUE(library) << library.error().describe();
  const auto api = backend::opencl::load_api(*library);
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().cause(), Cause::symbol_missing);
  EXPECT_NE(api.error().message().find("clCreateContext"), std::string::npos) << api.error().message();
}

TEST(Causes, ADeviceThatIsTooOldIsVersionUnsupported) {
  Candidate candidate;
  candidate.info.backend = "opencl";
  candidate.info.name = "Old";
  candidate.refusal = "it has OpenCL 1.0, and Collet needs 1.2";
  const auto opened = OpenClDevice::open(Api{}, candidate, {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().cause(), Cause::version_unsupported);
  EXPECT_EQ(opened.error().message(),
            "opencl:0 (Old) can't be used: it has OpenCL 1.0, and Collet needs 1.2.");
}

TEST(Causes, AContextThatTheDriverRefusesIsContextFailed) {
  Api api{};
  api.clCreateContext = [](const cl_context_properties*, cl_uint, const cl_device_id*,
                           void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*), void*,
                           cl_int* status) -> cl_context {
    *status = CL_DEVICE_NOT_AVAILABLE;
    return nullptr;
  };
  const auto opened = OpenClDevice::open(api, {}, {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().cause(), Cause::context_failed);
  EXPECT_EQ(opened.error().native_code(), CL_DEVICE_NOT_AVAILABLE);
}
#endif

#ifdef COLLET_HAS_VULKAN
TEST(Causes, WhatVulkanFailedAtIsTheCause) {
  using namespace backend::vulkan;
  EXPECT_EQ(check(VK_ERROR_INITIALIZATION_FAILED, kMakeInstance).error().cause(), Cause::instance_failed);
  EXPECT_EQ(check(VK_ERROR_UNKNOWN, kRecord).error().cause(), Cause::command_buffer_failed);
  EXPECT_EQ(check(VK_ERROR_UNKNOWN, kSubmit).error().cause(), Cause::queue_failed);
  EXPECT_EQ(check(VK_ERROR_OUT_OF_HOST_MEMORY, kRecord).error().cause(), Cause::allocation_failed);
}

TEST(Causes, NoMemoryTypeThatServesIsMemoryTypeNotFound) {
  VkPhysicalDeviceMemoryProperties memory{};
  memory.memoryTypeCount = 2;
  memory.memoryTypes[0].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  memory.memoryTypes[1].propertyFlags =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  using backend::vulkan::memory_type;
  EXPECT_EQ(memory_type(memory, 3, backend::Placement::device, "D").value(), 0u);
  EXPECT_EQ(memory_type(memory, 3, backend::Placement::upload, "D").value(), 1u);
  const auto none = memory_type(memory, 1, backend::Placement::upload, "D");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().cause(), Cause::memory_type_not_found);
  EXPECT_EQ(none.error().message(), "None of the 2 memory types of D serves the placement upload.");
}
#endif

}  // namespace
}  // namespace collet
