// Which files and variables decide what the OpenCL loader finds.
#pragma once

#include <string>
#include <vector>

#include "collet/properties.hpp"

namespace collet::backend::opencl {

std::vector<DriverFile> driver_files();
std::vector<std::string> driver_variables();

}  // namespace collet::backend::opencl
