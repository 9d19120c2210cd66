// The process's Vulkan instance, and a second one whose every call is checked.
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
  bool validated = false;  // the validation layer is on
  Rung rung = Rung::compiled_in;
  std::string library;
  std::string version;         // of the loader
  std::optional<Error> error;  // why there is no handle
};

// Made at the first call, by one thread while others wait; never destroyed.
const Instance& instance();
// The same with the validation layer, whose messages go to the log. Where the layer is not installed, a
// warning says so, once, and the plain instance is used.
const Instance& validated_instance();

// Every physical device, in the loader's order.
Result<std::vector<VkPhysicalDevice>> physical_devices(const Instance& vulkan);

}  // namespace collet::backend::vulkan
