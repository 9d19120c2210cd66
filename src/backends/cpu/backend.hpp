// Makes the CPU backend for the registry.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::cpu {

std::unique_ptr<Backend> make_backend();

}  // namespace collet::backend::cpu
