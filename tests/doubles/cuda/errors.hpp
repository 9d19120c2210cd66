// The names of results, and what every exported function does before its own work.
#pragma once

#include "abi.hpp"

namespace collet::cuda_double {

// nullptr: the number is not known.
const char* name_of(Result result);
const char* text_of(Result result);

}  // namespace collet::cuda_double
