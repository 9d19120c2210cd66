// Which files and variables decide what the Vulkan loader finds, for APIs that stand on Vulkan too.
#pragma once

#include <string>
#include <vector>

#include "collet/properties.hpp"

namespace collet::backend::common {

std::vector<DriverFile> vulkan_files();
std::vector<std::string> vulkan_variables();

}  // namespace collet::backend::common
