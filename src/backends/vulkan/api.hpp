// The Vulkan API as this backend uses it: types and tables from volk, no prototypes, nothing linked.
//
// Instance functions are volk's globals, filled once by instance.cpp. Device functions are called through
// each device's own VolkDeviceTable: several drivers live in one process.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <collet_volk_names.hpp>  // must come first

#include <volk.h>

namespace collet::backend::vulkan {

// A zeroed Vulkan structure that knows its type.
template <class T>
T structure(VkStructureType type) {
  T made{};
  made.sType = type;
  return made;
}

}  // namespace collet::backend::vulkan
