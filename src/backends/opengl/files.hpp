// Which files and variables decide what EGL finds.
#pragma once

#include <string>
#include <vector>

#include "collet/properties.hpp"

namespace collet::backend::opengl {

std::vector<DriverFile> driver_files();
std::vector<std::string> driver_variables();

}  // namespace collet::backend::opengl
