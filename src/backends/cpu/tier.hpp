// How the CPU backend runs kernels that it gets as IR.
#pragma once

#include "collet/result.hpp"

namespace collet::backend::cpu {

enum class Tier : std::uint8_t {
  automatic,  // the interpreter at once, native code once a kernel is worth it
  interpreter,
  native,  // by LLVM, which every kernel waits for; the interpreter runs what that does not cover
};

// What COLLET_CPU_TIER asks for; automatic where it is not set. Fails where it is not understood.
Result<Tier> find_tier();

}  // namespace collet::backend::cpu
