// Makes the webgpu backend for the registry.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::webgpu {

std::unique_ptr<Backend> make_backend();

}  // namespace collet::backend::webgpu
