// What a physical device is and can do, before it is opened.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "backends/vulkan/api.hpp"
#include "collet/backend.hpp"

namespace collet::backend::vulkan {

// More bindings than this are refused: they bound the arrays that submit() keeps on its stack.
inline constexpr std::uint32_t kMaxBindings = 64;

// The features that kernels may need, as the device reports them, in the form that vkCreateDevice takes.
// Every one that is there gets enabled, and no other. Not movable: the structures point at each other.
struct Features {
  Features() = default;
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;

  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDevice16BitStorageFeatures storage16{};
  VkPhysicalDevice8BitStorageFeatures storage8{};
  VkPhysicalDeviceShaderFloat16Int8Features float16_int8{};
  VkPhysicalDeviceShaderAtomicInt64Features atomic64{};
  VkPhysicalDeviceVariablePointersFeatures variable_pointers{};
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{};
  VkPhysicalDeviceScalarBlockLayoutFeatures scalar_layout{};
  VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures subgroup_types{};
  VkPhysicalDeviceBufferDeviceAddressFeatures device_address{};
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  VkPhysicalDeviceHostQueryResetFeatures host_query_reset{};
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot_product{};
  VkPhysicalDeviceMaintenance4Features maintenance4{};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float{};
  std::vector<const char*> extensions;  // that the above need on this device
};

struct Family {
  std::uint32_t index = 0;
  std::uint32_t queues = 0;  // 0: there is none
  std::uint32_t timestamp_bits = 0;
};

struct Physical {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::uint32_t version = 0;
  std::set<std::string, std::less<>> extensions;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceSubgroupProperties subgroup{};
  VkPhysicalDeviceFloatControlsProperties float_controls{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::uint32_t max_push_descriptors = 0;  // 0: no push descriptors
  Family compute, transfer;
  bool clock = false;   // device and host clocks can be read together
  bool budget = false;  // the driver says how much memory is left
  std::string refusal;  // why it can't be opened; "" where it can
  DeviceInfo info;
  Caps caps;

  bool has(std::string_view extension) const { return extensions.find(extension) != extensions.end(); }
  // In the core since `core_version`, before that by extension.
  bool has(std::uint32_t core_version, std::string_view extension) const {
    return version >= core_version || has(extension);
  }
};

// Fills `features` as well. Never fails: what a device can't say is left out.
Physical describe(VkPhysicalDevice handle, std::uint32_t index, Features& features);

}  // namespace collet::backend::vulkan
