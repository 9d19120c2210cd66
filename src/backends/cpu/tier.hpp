// How the CPU backend runs kernels that it gets as IR.
#pragma once

#include "collet/options.hpp"
#include "collet/result.hpp"

namespace collet::backend::cpu {

// What the device was opened with; where that is automatic, what COLLET_CPU_TIER asks for. Fails where it is
// not understood.
Result<CpuTier> find_tier(CpuTier asked);

}  // namespace collet::backend::cpu
