// A physical device of Vulkan that only answers questions: what a driver that does not run here says of
// itself. While it lives, the API's functions that describe physical devices are its own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "backends/vulkan/api.hpp"

namespace collet::test {

// Threads: one at a time, and one in a process.
class DescribedVulkan {
 public:
  DescribedVulkan() {
    shown = this;
    properties.apiVersion = VK_API_VERSION_1_1;
    vkEnumerateDeviceExtensionProperties = &tell_extensions;
    vkGetPhysicalDeviceProperties = [](VkPhysicalDevice, VkPhysicalDeviceProperties* to) {
      *to = shown->properties;
    };
    vkGetPhysicalDeviceProperties2 = [](VkPhysicalDevice, VkPhysicalDeviceProperties2* to) {
      to->properties = shown->properties;
      shown->tell_chain(to->pNext);
    };
    vkGetPhysicalDeviceFeatures2 = [](VkPhysicalDevice, VkPhysicalDeviceFeatures2* to) {
      to->features = shown->features;
      shown->tell_chain(to->pNext);
    };
    vkGetPhysicalDeviceMemoryProperties = [](VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* to) {
      *to = shown->memory;
    };
    vkGetPhysicalDeviceQueueFamilyProperties = [](VkPhysicalDevice, std::uint32_t* count,
                                                  VkQueueFamilyProperties* to) {
      tell(shown->families, count, to);
    };
    vkGetPhysicalDeviceCalibrateableTimeDomainsEXT = [](VkPhysicalDevice, std::uint32_t* count,
                                                        VkTimeDomainEXT* to) {
      tell(shown->clocks, count, to);
      return VK_SUCCESS;
    };
  }
  ~DescribedVulkan() {
    vkEnumerateDeviceExtensionProperties = before_.extensions;
    vkGetPhysicalDeviceProperties = before_.properties;
    vkGetPhysicalDeviceProperties2 = before_.properties2;
    vkGetPhysicalDeviceFeatures2 = before_.features2;
    vkGetPhysicalDeviceMemoryProperties = before_.memory;
    vkGetPhysicalDeviceQueueFamilyProperties = before_.families;
    vkGetPhysicalDeviceCalibrateableTimeDomainsEXT = before_.clocks;
  }
  DescribedVulkan(const DescribedVulkan&) = delete;
  DescribedVulkan& operator=(const DescribedVulkan&) = delete;

  std::vector<std::string_view> extensions;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceFeatures features{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::vector<VkQueueFamilyProperties> families;
  std::vector<VkTimeDomainEXT> clocks;
  std::set<VkStructureType> asked;  // what it was asked, so far

  // What a structure of properties or features holds where it is asked for.
  template <class T>
  void says(VkStructureType type, const T& part) {
    const char* const bytes = reinterpret_cast<const char*>(&part);
    parts_[type].assign(bytes + sizeof(VkBaseOutStructure), bytes + sizeof part);
  }

 private:
  static inline DescribedVulkan* shown = nullptr;  // the API gives its functions no place for a pointer

  template <class T>
  static void tell(const std::vector<T>& all, std::uint32_t* count, T* to) {
    if (to == nullptr) {
      *count = static_cast<std::uint32_t>(all.size());
      return;
    }
    *count = std::min(*count, static_cast<std::uint32_t>(all.size()));
    std::copy_n(all.begin(), *count, to);
  }

  static VkResult VKAPI_CALL tell_extensions(VkPhysicalDevice, const char*, std::uint32_t* count,
                                             VkExtensionProperties* to) {
    std::vector<VkExtensionProperties> all;
    for (const std::string_view name : shown->extensions) {
      VkExtensionProperties one{};
      name.copy(one.extensionName, sizeof one.extensionName);
      all.push_back(one);
    }
    tell(all, count, to);
    return VK_SUCCESS;
  }

  void tell_chain(void* next) {
    for (auto* part = static_cast<VkBaseOutStructure*>(next); part != nullptr; part = part->pNext) {
      EXPECT_TRUE(asked.insert(part->sType).second) << "asked twice for structure " << part->sType;
      const auto found = parts_.find(part->sType);
      if (found != parts_.end()) std::memcpy(part + 1, found->second.data(), found->second.size());
    }
  }

  std::map<VkStructureType, std::vector<char>> parts_;
  struct {
    PFN_vkEnumerateDeviceExtensionProperties extensions = vkEnumerateDeviceExtensionProperties;
    PFN_vkGetPhysicalDeviceProperties properties = vkGetPhysicalDeviceProperties;
    PFN_vkGetPhysicalDeviceProperties2 properties2 = vkGetPhysicalDeviceProperties2;
    PFN_vkGetPhysicalDeviceFeatures2 features2 = vkGetPhysicalDeviceFeatures2;
    PFN_vkGetPhysicalDeviceMemoryProperties memory = vkGetPhysicalDeviceMemoryProperties;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties families = vkGetPhysicalDeviceQueueFamilyProperties;
    PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT clocks =
        vkGetPhysicalDeviceCalibrateableTimeDomainsEXT;
  } before_;
};

}  // namespace collet::test
