// The process's one Vulkan instance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/vulkan/api.hpp"
#include "collet/backend.hpp"

namespace collet::backend::vulkan {

struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  bool debug_names = false;
  Rung rung = Rung::compiled_in;
  std::string library;
  std::string version;         // of the loader
  std::optional<Error> error;  // why there is no handle
};

// Made at the first call, by one thread while others wait; never destroyed.
const Instance& instance();

// Every physical device, in the loader's order.
Result<std::vector<VkPhysicalDevice>> physical_devices();

}  // namespace collet::backend::vulkan
