// Launches of more groups than a device runs at once, cut into parts.
#pragma once

#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::emit {

// A u32 that a launch of one part passes behind the kernel's own arguments.
struct PartWord {
  enum class What : std::uint8_t { first_group, group_count, element_count };  // the last two of the whole
  What what = What::first_group;
  std::uint32_t dimension = 0;
};

struct Parted {
  ir::Kernel kernel;
  std::vector<PartWord> words;  // only those that the kernel uses
};

// The kernel for one part of a grid. Its items see the ids and counts that they have in the whole.
Parted in_parts(const ir::Kernel& kernel);

}  // namespace collet::emit
