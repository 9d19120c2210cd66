// Vulkan: the one place where a VkResult becomes an Error.

#include "backends/vulkan/errors.hpp"

namespace collet::backend::vulkan {
namespace {

const char* name_of(VkResult result) {
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
    default: return "unknown VkResult";
  }
}

struct Verdict {
  ErrorCode code;
  Category category;
  Cause cause;
};

Verdict judge(VkResult result, const Doing& doing) {
  switch (result) {
    case VK_TIMEOUT: return {ErrorCode::timeout, Category::synchronisation, Cause::other};
    case VK_ERROR_DEVICE_LOST: return {ErrorCode::device_lost, Category::device, doing.cause};
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_FRAGMENTATION:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_MEMORY_MAP_FAILED:
      return {ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed};
    case VK_ERROR_LAYER_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT: return {ErrorCode::unsupported, doing.category, doing.cause};
    case VK_ERROR_INCOMPATIBLE_DRIVER:
    case VK_ERROR_INITIALIZATION_FAILED: return {ErrorCode::unavailable, doing.category, doing.cause};
    case VK_ERROR_INVALID_SHADER_NV: return {ErrorCode::build_failed, Category::compilation, doing.cause};
    default: return {ErrorCode::internal, doing.category, doing.cause};
  }
}

[[gnu::cold, gnu::noinline]] Error translate(VkResult result, const Doing& doing, std::atomic<bool>* lost) {
  if (result == VK_ERROR_DEVICE_LOST && lost != nullptr) lost->store(true, std::memory_order_relaxed);
  const Verdict verdict = judge(result, doing);
  const std::string message =
      result == VK_TIMEOUT ? std::string("The deadline passed before the device was done.")
                           : std::string("Vulkan failed at ") + doing.what + " with " + name_of(result) + ".";
  return Error(verdict.code, verdict.category, verdict.cause, message).with_native(result, name_of(result));
}

}  // namespace

Result<void> check(VkResult result, const Doing& doing, std::atomic<bool>* lost) {
  if (result >= 0 && result != VK_TIMEOUT) [[likely]]
    return {};
  return translate(result, doing, lost);
}

std::string version_text(std::uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version)) +
         "." + std::to_string(VK_API_VERSION_PATCH(version));
}

}  // namespace collet::backend::vulkan
