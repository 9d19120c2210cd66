// OpenOptions::validation: the API's own checking layer speaks to the log, or the log says that there is
// none.

#include <gtest/gtest.h>

#include <algorithm>
#include <collet_backends.hpp>

#include "collet/collet.hpp"
#include "unit/captured_log.hpp"
#include "unit/variables.hpp"
#if COLLET_HAS_VULKAN
#include "backends/vulkan/api.hpp"
#include "backends/vulkan/instance.hpp"
#include "backends/vulkan/validation.hpp"
#endif

namespace collet {
namespace {

[[maybe_unused]] bool is_here(std::string_view backend) {
  const std::vector<DeviceInfo> all = devices();
  return std::any_of(all.begin(), all.end(), [&](const DeviceInfo& one) { return one.backend == backend; });
}

#if COLLET_HAS_CPU
TEST(Validation, SaysWhereThereIsNoLayer) {
  const test::CapturedLog captured("warn");
  ASSERT_TRUE(Device::open("cpu", {.validation = true}));
  EXPECT_EQ(captured.lines(),
            (std::vector<std::string>{
                "warn cpu: Validation was asked for, and the cpu backend has no checking layer."}));
}

TEST(Validation, IsAskedForByTheEnvironmentToo) {
  const test::CapturedLog captured("warn");
  ASSERT_TRUE(Device::open("cpu"));
  EXPECT_EQ(captured.count("warn cpu"), 0u);
  const test::Variables variables{{"COLLET_VALIDATE", "1"}};
  ASSERT_TRUE(Device::open("cpu"));
  EXPECT_EQ(captured.count("warn cpu"), 1u);
}
#endif

#if COLLET_HAS_OPENCL
TEST(Validation, SaysThatOpenClHasNoLayer) {
  if (!is_here("opencl")) GTEST_SKIP() << "There is no OpenCL device.";
  const test::CapturedLog captured("warn");
  const auto opened = Device::open("opencl", {.validation = true});
  ASSERT_TRUE(opened) << opened.error().describe();
  EXPECT_EQ(captured.count("warn opencl: Validation was asked for"), 1u);
}
#endif

#if COLLET_HAS_VULKAN
// A buffer of no bytes: no driver minds, the layer does.
void misuse(const Device& device) {
  using namespace backend::vulkan;
  auto* const handle = static_cast<VkDevice>(device.native().extension("vulkan.device"));
  const auto create = reinterpret_cast<PFN_vkCreateBuffer>(vkGetDeviceProcAddr(handle, "vkCreateBuffer"));
  const auto destroy = reinterpret_cast<PFN_vkDestroyBuffer>(vkGetDeviceProcAddr(handle, "vkDestroyBuffer"));
  auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  if (create(handle, &info, nullptr, &buffer) == VK_SUCCESS) destroy(handle, buffer, nullptr);
}

TEST(Validation, OfVulkanReportsAMisuseToTheLog) {
  if (!is_here("vulkan")) GTEST_SKIP() << "There is no Vulkan device.";
  const test::CapturedLog captured("error");
  const auto checked = Device::open("vulkan", {.validation = true}).value();
  if (!backend::vulkan::validated_instance().validated)
    GTEST_SKIP() << "The validation layer is not installed.";
  EXPECT_EQ(captured.lines(), std::vector<std::string>{}) << "opening a device is no misuse";
  misuse(checked);
  EXPECT_GE(captured.count("error vulkan: ", "VUID-VkBufferCreateInfo-size-00912"), 1u);
}

TEST(Validation, OfVulkanWarnsWhereTheLayerIsNotInstalled) {
  if (!is_here("vulkan")) GTEST_SKIP() << "There is no Vulkan device.";
  const test::CapturedLog captured("warn");
  const test::Variables variables{{"VK_LAYER_PATH", "no such folder"}};
  (void)backend::vulkan::instance();  // loads the library: devices() asks another process
  EXPECT_FALSE(backend::vulkan::has_validation_layer());
  EXPECT_EQ(
      captured.lines(),
      (std::vector<std::string>{
          "warn vulkan: Validation was asked for, and the layer VK_LAYER_KHRONOS_validation is not "
          "installed, so nothing is checked. On Debian it is in the package vulkan-validationlayers."}));
}

TEST(Validation, OfVulkanIsOffUnlessAskedFor) {
  if (!is_here("vulkan")) GTEST_SKIP() << "There is no Vulkan device.";
  const test::CapturedLog captured("trace");
  const test::Variables variables{{"COLLET_VALIDATE", nullptr}};
  misuse(Device::open("vulkan").value());
  EXPECT_EQ(captured.count("error vulkan: "), 0u);
}

TEST(Validation, OfVulkanLetsACheckedDeviceWorkBesideAPlainOne) {
  if (!is_here("vulkan")) GTEST_SKIP() << "There is no Vulkan device.";
  const test::CapturedLog captured("warn");
  const auto checked = Device::open("vulkan", {.label = "checked", .validation = true}).value();
  const auto plain = Device::open("vulkan", {.label = "plain"}).value();
  EXPECT_EQ(checked.name(), plain.name());
  for (const Device& device : {checked, plain}) {
    const auto buffer = device.upload(std::vector<int>{1, 2, 3}).value();
    std::vector<int> host(3);
    auto stream = device.stream();
    stream.download(buffer, std::span(host));
    ASSERT_TRUE(stream.wait());
    EXPECT_EQ(host, (std::vector<int>{1, 2, 3}));
  }
  EXPECT_EQ(captured.lines(), std::vector<std::string>{});
}
#endif

}  // namespace
}  // namespace collet
