// Makes the cuda backend for the registry.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::cuda {

std::unique_ptr<Backend> make_backend();

}  // namespace collet::backend::cuda
