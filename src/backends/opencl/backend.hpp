// Makes the OpenCL backend for the registry.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::opencl {

std::unique_ptr<Backend> make_backend();

}  // namespace collet::backend::opencl
