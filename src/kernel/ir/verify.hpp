// Whether a kernel is one: types, scopes, control flow, memory, and barriers only where all items come by.
#pragma once

#include <cstddef>

#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::ir {

inline constexpr std::size_t kMostDepth = 200;  // of blocks in blocks

// The first thing that is wrong, as a sentence that quotes the node. Hostile kernels are fine: nothing is
// assumed of them.
Result<void> verify(const Kernel& kernel);

}  // namespace collet::ir
