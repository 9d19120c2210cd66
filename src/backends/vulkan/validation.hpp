// The layer that checks every call to Vulkan.
#pragma once

#include "backends/vulkan/api.hpp"
#include "collet/result.hpp"

namespace collet::backend::vulkan {

inline constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

// Whether it is installed; a warning where it is not. The loader must be loaded.
bool has_validation_layer();

// From now on what the layers of this instance say goes to the log, under the module "vulkan".
Result<void> log_messages_of(VkInstance instance);

}  // namespace collet::backend::vulkan
