// From features to what a module may use.
#pragma once

#include "backends/vulkan/physical.hpp"

namespace collet::backend::vulkan {

// Asks the device about every feature in `features`, and clears what no kernel needs.
void query_features(const Physical& physical, Features& features);

// The name of a SPIR-V capability that this device lacks; null where it has it.
const char* missing_capability(const Physical& physical, const Features& features, std::uint32_t capability);

}  // namespace collet::backend::vulkan
