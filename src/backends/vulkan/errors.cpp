// Vulkan: what each VkResult is called and means.

#include "backends/vulkan/errors.hpp"

namespace collet::backend::vulkan {

std::string_view Codes::name_of(VkResult result) {
  switch (result) {
#define COLLET_NAME(code) \
  case code: return #code
    COLLET_NAME(VK_NOT_READY);
    COLLET_NAME(VK_TIMEOUT);
    COLLET_NAME(VK_INCOMPLETE);
    COLLET_NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
    COLLET_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    COLLET_NAME(VK_ERROR_INITIALIZATION_FAILED);
    COLLET_NAME(VK_ERROR_DEVICE_LOST);
    COLLET_NAME(VK_ERROR_MEMORY_MAP_FAILED);
    COLLET_NAME(VK_ERROR_LAYER_NOT_PRESENT);
    COLLET_NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
    COLLET_NAME(VK_ERROR_FEATURE_NOT_PRESENT);
    COLLET_NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
    COLLET_NAME(VK_ERROR_TOO_MANY_OBJECTS);
    COLLET_NAME(VK_ERROR_FRAGMENTED_POOL);
    COLLET_NAME(VK_ERROR_UNKNOWN);
    COLLET_NAME(VK_ERROR_OUT_OF_POOL_MEMORY);
    COLLET_NAME(VK_ERROR_FRAGMENTATION);
    COLLET_NAME(VK_ERROR_INVALID_SHADER_NV);
    COLLET_NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
#undef COLLET_NAME
    default: return "an unknown code";
  }
}

common::Meaning Codes::meaning_of(VkResult result) {
  switch (result) {
    case VK_TIMEOUT: return {ErrorCode::timeout};
    case VK_ERROR_DEVICE_LOST: return {ErrorCode::device_lost};
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_FRAGMENTATION:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_MEMORY_MAP_FAILED: return {ErrorCode::out_of_memory, Cause::allocation_failed};
    case VK_ERROR_LAYER_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT: return {ErrorCode::unsupported};
    case VK_ERROR_INCOMPATIBLE_DRIVER:
    case VK_ERROR_INITIALIZATION_FAILED: return {ErrorCode::unavailable};
    case VK_ERROR_INVALID_SHADER_NV: return {ErrorCode::build_failed};
    default: return {};
  }
}

std::string version_text(std::uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version)) +
         "." + std::to_string(VK_API_VERSION_PATCH(version));
}

}  // namespace collet::backend::vulkan
