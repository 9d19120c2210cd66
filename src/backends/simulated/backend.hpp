// Makes the backend of simulated devices for the registry.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::simulated {

std::unique_ptr<Backend> make_backend();

}  // namespace collet::backend::simulated
