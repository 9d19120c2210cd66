// Loops on a driver that silently exits them after a number of iterations.
#pragma once

#include <cstdint>

#include "kernel/ir/ir.hpp"

namespace collet::emit {

// Whether the loops of a kernel, with ranges still in it, can't be shown to end within `rounds`, all
// together.
bool may_exceed(const ir::Kernel& kernel, std::uint64_t rounds);

// The kernel, without ranges, with one more buffer of one u32 behind the others, 0 at first. It becomes 1
// where loops were cut. Their driver must count the rounds of all loops of an item together.
ir::Kernel watch_loops(const ir::Kernel& kernel);

}  // namespace collet::emit
