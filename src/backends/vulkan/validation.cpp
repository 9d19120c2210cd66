// Vulkan: the validation layer, and its messages in the log.

#include "backends/vulkan/validation.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "backends/vulkan/list.hpp"
#include "base/log.hpp"

namespace collet::backend::vulkan {
namespace {

LogLevel level_of(VkDebugUtilsMessageSeverityFlagBitsEXT severity) {
  if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) return LogLevel::error;
  if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT) return LogLevel::warn;
  if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT) return LogLevel::debug;
  return LogLevel::trace;
}

VKAPI_ATTR VkBool32 VKAPI_CALL take_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                            VkDebugUtilsMessageTypeFlagsEXT,
                                            const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  base::log(level_of(severity), "vulkan", data->pMessage != nullptr ? data->pMessage : "");
  return VK_FALSE;
}

}  // namespace

bool has_validation_layer() {
  const auto all = list<VkLayerProperties>(kMostEntries, [](auto* count, auto* entries) {
    return vkEnumerateInstanceLayerProperties(count, entries);
  });
  if (!all) {
    base::log(LogLevel::warn, "vulkan",
              "Validation was asked for, and nothing is checked: " + all.error().message());
    return false;
  }
  if (std::ranges::any_of(*all,
                          [](const auto& one) { return std::strcmp(one.layerName, kValidationLayer) == 0; }))
    return true;
  base::log(LogLevel::warn, "vulkan",
            std::string("Validation was asked for, and the layer ") + kValidationLayer +
                " is not installed, so nothing is checked. On Debian it is in the package "
                "vulkan-validationlayers.");
  return false;
}

Result<void> log_messages_of(VkInstance instance) {
  auto* const create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
  if (create == nullptr) {
    return Error(
        ErrorCode::unsupported, Category::initialisation, Cause::symbol_missing,
        "The Vulkan loader has no function vkCreateDebugUtilsMessengerEXT, which brings the messages of "
        "the validation layer.");
  }
  auto info =
      structure<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = take_message;
  VkDebugUtilsMessengerEXT messenger =
      VK_NULL_HANDLE;  // lives as long as the instance: until the process ends
  return check(create(instance, &info, nullptr, &messenger), kMakeInstance);
}

}  // namespace collet::backend::vulkan
