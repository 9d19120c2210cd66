// Makes the CPU backend for the registry.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::cpu {

std::unique_ptr<Backend> make_backend();

// How kernels of the kernel language run, as a sentence; "" where that is not worth a word. Fails where they
// don't run as COLLET_CPU_TIER asks. May load libLLVM.
Result<std::string> describe_tier();

}  // namespace collet::backend::cpu
