// How much memory a kernel declares.
#pragma once

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// Of workgroup memory, in bytes. Needs a verified kernel, or the sum may wrap around.
inline std::uint64_t workgroup_bytes(const Kernel& kernel) {
  std::uint64_t bytes = 0;
  for (const Memory& memory : kernel.memories) {
    if (memory.space == Space::workgroup) bytes += memory.count * memory.stride;
  }
  return bytes;
}

}  // namespace collet::ir
