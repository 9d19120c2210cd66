// Makes the Vulkan backend for the registry.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::vulkan {

std::unique_ptr<Backend> make_backend();

}  // namespace collet::backend::vulkan
