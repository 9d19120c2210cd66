// How much memory a kernel declares.
#pragma once

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// Of what is not a buffer, in bytes. Needs a verified kernel, or the sum may wrap around.
inline std::uint64_t declared_bytes(const Kernel& kernel, Space space) {
  std::uint64_t bytes = 0;
  for (const Memory& memory : kernel.memories) {
    if (memory.space == space) bytes += memory.count * memory.stride;
  }
  return bytes;
}

inline std::uint64_t workgroup_bytes(const Kernel& kernel) {
  return declared_bytes(kernel, Space::workgroup);
}

// Of the arrays of one item.
inline std::uint64_t item_bytes(const Kernel& kernel) { return declared_bytes(kernel, Space::item); }

inline std::uint64_t group_items(const Kernel& kernel) {
  return std::uint64_t{kernel.group[0]} * kernel.group[1] * kernel.group[2];
}

}  // namespace collet::ir
