// Which files and variables decide what CUDA finds.
#pragma once

#include <string>
#include <vector>

#include "collet/properties.hpp"

namespace collet::backend::cuda {

std::vector<DriverFile> driver_files();
std::vector<std::string> driver_variables();

}  // namespace collet::backend::cuda
