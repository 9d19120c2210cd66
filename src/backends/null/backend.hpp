// Makes the null backend for the registry.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::null {

std::unique_ptr<Backend> make_backend();

}  // namespace collet::backend::null
