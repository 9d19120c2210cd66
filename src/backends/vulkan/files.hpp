// Which files and variables decide what the Vulkan loader finds.
#pragma once

#include <string>
#include <vector>

#include "collet/properties.hpp"

namespace collet::backend::vulkan {

std::vector<DriverFile> driver_files();
std::vector<std::string> driver_variables();

}  // namespace collet::backend::vulkan
