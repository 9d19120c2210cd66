// A Vulkan driver that misbehaves when an instance is made (crash, jump, hang, exit, leave, abort), when it
// is loaded (load), by what it answers (garbage, counts), or by what it lacks (symbols).

#include <vulkan/vk_icd.h>
#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <cstring>

#include "misbehave.hpp"

namespace {

struct Handle {
  VK_LOADER_DATA loader{.loaderMagic = ICD_LOADER_MAGIC};
};
Handle instance_handle;
Handle device_handle;

VkResult create_instance(const VkInstanceCreateInfo* /*info*/, const VkAllocationCallbacks* /*memory*/,
                         VkInstance* made) {
  misbehave();
  *made = reinterpret_cast<VkInstance>(&instance_handle);
  return VK_SUCCESS;
}

VkResult list_devices(VkInstance /*instance*/, std::uint32_t* count, VkPhysicalDevice* devices) {
#ifdef FAULT_COUNTS
  *count = 0x7fffffff;
  (void)devices;
#else
  if (devices != nullptr && *count > 0) devices[0] = reinterpret_cast<VkPhysicalDevice>(&device_handle);
  *count = 1;
#endif
  return VK_SUCCESS;
}

// No text has an end and no figure makes sense.
void properties(VkPhysicalDevice /*device*/, VkPhysicalDeviceProperties* out) {
  std::memset(out, 0xff, sizeof *out);
  out->apiVersion = VK_API_VERSION_1_3;
}
void properties2(VkPhysicalDevice /*device*/, VkPhysicalDeviceProperties2* out) {
  properties(nullptr, &out->properties);
}
void memory(VkPhysicalDevice /*device*/, VkPhysicalDeviceMemoryProperties* out) {
  std::memset(out, 0xff, sizeof *out);
}
void families(VkPhysicalDevice /*device*/, std::uint32_t* count, VkQueueFamilyProperties* out) {
  if (out != nullptr) std::memset(out, 0xff, *count * sizeof *out);
  *count = 0xffffffff;
}
VkResult extensions(VkPhysicalDevice /*device*/, const char* /*layer*/, std::uint32_t* count,
                    VkExtensionProperties* out) {
  if (out != nullptr) std::memset(out, 0xff, *count * sizeof *out);
  *count = 0xffffffff;
  return VK_SUCCESS;
}
VkResult instance_extensions(const char* /*layer*/, std::uint32_t* count, VkExtensionProperties* /*out*/) {
  *count = 0;
  return VK_SUCCESS;
}
VkResult version(std::uint32_t* out) {
  *out = VK_API_VERSION_1_3;
  return VK_SUCCESS;
}
VkResult nothing() { return VK_SUCCESS; }

struct Entry {
  const char* name;
  PFN_vkVoidFunction function;
};
template <class Function>
Entry entry(const char* name, Function* function) {
  return {name, reinterpret_cast<PFN_vkVoidFunction>(function)};
}

}  // namespace

DRIVER_EXPORT VkResult vk_icdNegotiateLoaderICDInterfaceVersion(std::uint32_t* version) {
  *version = 5;
  return VK_SUCCESS;
}

#ifndef FAULT_SYMBOLS
DRIVER_EXPORT PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance /*instance*/, const char* name) {
  static const Entry entries[] = {
      entry("vkCreateInstance", create_instance),
      entry("vkEnumeratePhysicalDevices", list_devices),
      entry("vkGetPhysicalDeviceProperties", properties),
      entry("vkGetPhysicalDeviceProperties2", properties2),
      entry("vkGetPhysicalDeviceMemoryProperties", memory),
      entry("vkGetPhysicalDeviceQueueFamilyProperties", families),
      entry("vkEnumerateDeviceExtensionProperties", extensions),
      entry("vkEnumerateInstanceExtensionProperties", instance_extensions),
      entry("vkEnumerateInstanceVersion", version),
  };
  for (const Entry& one : entries) {
    if (std::strcmp(one.name, name) == 0) return one.function;
  }
  return reinterpret_cast<PFN_vkVoidFunction>(nothing);
}
#endif
