// Causes that only a bad driver or loader brings about: each from the place that raises it.

#include <gtest/gtest.h>

#include "collet/collet.hpp"
#include "platform/platform.hpp"

#include <collet_backends.hpp>
#if COLLET_HAS_OPENCL
#include "backends/opencl/device.hpp"
#endif
#if COLLET_HAS_VULKAN
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

#if COLLET_HAS_OPENCL
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
  EXPECT_EQ(opened.error().message(), "opencl:0 (Old) is refused: it has OpenCL 1.0, and Collet needs 1.2.");
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

TEST(Causes, OpenClsCodesHaveNamesAndMeanings) {
  using backend::opencl::Codes;
  const auto code = [](cl_int status) { return Codes::meaning_of(status).code; };
  for (const cl_int status : {CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY})
    EXPECT_EQ(code(status), ErrorCode::out_of_memory) << status;
  for (const cl_int status : {CL_DEVICE_NOT_AVAILABLE, -9999})
    EXPECT_EQ(code(status), ErrorCode::device_lost) << status;
  for (const cl_int status : {CL_DEVICE_NOT_FOUND, -1001})
    EXPECT_EQ(code(status), ErrorCode::unavailable) << status;
  for (const cl_int status : {CL_COMPILER_NOT_AVAILABLE, CL_LINKER_NOT_AVAILABLE, CL_INVALID_OPERATION})
    EXPECT_EQ(code(status), ErrorCode::unsupported) << status;
  for (const cl_int status :
       {CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE, CL_LINK_PROGRAM_FAILURE, CL_INVALID_BINARY,
        CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS, CL_INVALID_PROGRAM_EXECUTABLE})
    EXPECT_EQ(code(status), ErrorCode::build_failed) << status;
  EXPECT_EQ(code(CL_INVALID_VALUE), ErrorCode::internal);
  // But for images, samplers and sub-devices, which are not used.
  std::string unnamed;
  for (cl_int status = 0; status >= CL_INVALID_LINKER_OPTIONS; --status) {
    if (Codes::name_of(status) == "an unknown code") unnamed += std::to_string(status) + " ";
  }
  EXPECT_EQ(unnamed, "-9 -10 -18 -20 -21 -22 -23 -24 -25 -26 -27 -28 -29 -39 -40 -41 -60 -62 -65 ");
}
#endif

#if COLLET_HAS_VULKAN
TEST(Causes, VulkansCodesHaveNamesAndMeanings) {
  using namespace backend::vulkan;
  const auto said = [](int result) { return check(static_cast<VkResult>(result), kRecord).error(); };
  for (int result = VK_ERROR_OUT_OF_HOST_MEMORY; result >= VK_ERROR_UNKNOWN; --result) {
    const bool image = result == VK_ERROR_FORMAT_NOT_SUPPORTED;
    EXPECT_EQ(said(result).native_name().starts_with("VK_ERROR_"), !image) << result;
  }
  for (const int result : {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                           VK_ERROR_MEMORY_MAP_FAILED, VK_ERROR_TOO_MANY_OBJECTS, VK_ERROR_FRAGMENTED_POOL,
                           VK_ERROR_OUT_OF_POOL_MEMORY, VK_ERROR_FRAGMENTATION})
    EXPECT_EQ(said(result).code(), ErrorCode::out_of_memory) << result;
  for (const int result :
       {VK_ERROR_LAYER_NOT_PRESENT, VK_ERROR_EXTENSION_NOT_PRESENT, VK_ERROR_FEATURE_NOT_PRESENT})
    EXPECT_EQ(said(result).code(), ErrorCode::unsupported) << result;
  for (const int result : {VK_ERROR_INCOMPATIBLE_DRIVER, VK_ERROR_INITIALIZATION_FAILED})
    EXPECT_EQ(said(result).code(), ErrorCode::unavailable) << result;
  EXPECT_EQ(said(VK_ERROR_INVALID_SHADER_NV).code(), ErrorCode::build_failed);
  EXPECT_EQ(said(VK_ERROR_INVALID_SHADER_NV).native_name(), "VK_ERROR_INVALID_SHADER_NV");
  EXPECT_EQ(said(VK_ERROR_OUT_OF_POOL_MEMORY).native_name(), "VK_ERROR_OUT_OF_POOL_MEMORY");
  EXPECT_EQ(said(VK_ERROR_FRAGMENTATION).native_name(), "VK_ERROR_FRAGMENTATION");
  EXPECT_EQ(said(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS).native_name(),
            "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS");
  EXPECT_EQ(said(VK_ERROR_DEVICE_LOST).code(), ErrorCode::device_lost);
  EXPECT_EQ(said(VK_TIMEOUT).code(), ErrorCode::timeout);
  EXPECT_EQ(said(VK_ERROR_UNKNOWN).code(), ErrorCode::internal);
  EXPECT_TRUE(check(VK_INCOMPLETE, kRecord));
}

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
