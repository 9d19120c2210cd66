// Whether a kernel is one: types, scopes, control flow, memory, and barriers only where all items come by.
#pragma once

#include <cstddef>

#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::ir {

inline constexpr std::size_t kMostDepth = 200;  // of blocks in blocks

// The first violation, as a sentence that quotes the node. The kernel may be hostile: nothing is assumed
// about it.
Result<void> verify(const Kernel& kernel);

}  // namespace collet::ir
