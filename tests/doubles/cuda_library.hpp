// The double of NVIDIA's driver (tests/doubles/cuda) as this process's CUDA: for --doubles of the test
// programs.
#pragma once

#include <cstdlib>

#include "platform/platform.hpp"

namespace collet::test {

// Before the first look at the machine. Drivers are probed in this process then, for a helper program would
// not know of it.
inline void use_doubles() {
  platform::choose_library("cuda", COLLET_CUDA_DOUBLE_LIBRARY);
  setenv("COLLET_PROBE", "off", 1);
}

}  // namespace collet::test
