// Buffers that items of a kernel pass values through. A GPU may keep what an item stores in a cache of its
// own, behind a barrier too, unless the code says that the buffer is coherent.
#pragma once

#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::emit {

// For each memory: a buffer that is both loaded and stored, by whatever name, in a kernel with barriers or
// fences. Atomic operations need no such promise among themselves.
std::vector<bool> coherent_buffers(const ir::Kernel& kernel);

}  // namespace collet::emit
