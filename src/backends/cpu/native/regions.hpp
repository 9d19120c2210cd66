// Where the body of a kernel is cut, so that the vectors of a group can run one after the other although its
// items meet: a region is what stands between two meeting places in one block.
#pragma once

#include <cstdint>
#include <vector>

#include "backends/cpu/simt/shapes.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu::native {

// Threads: immutable.
struct Regions {
  static constexpr std::uint32_t kGroup = 0xffffffffu;

  // Of each node: its region; kGroup where it is a meeting place, or a branch or loop around one, which run
  // once for the group.
  std::vector<std::uint32_t> home;
  std::vector<bool> kept;  // of each value: others than its region need it
  std::vector<bool>
      spread;  // of each value: somebody needs it lane by lane, also where all lanes have the same
  std::vector<bool> shared;  // of each variable: several regions use it
  bool possible = true;      // lanes agree on every branch and loop around a meeting place
};

// Needs a verified kernel.
Regions find_regions(const ir::Kernel& kernel, const Shapes& shapes);

// Items of a subgroup take from one another. Such a node is a region of its own.
bool is_between_items(ir::Op op);

// Whether any region may make the value anew from what all of them know.
bool is_known_anywhere(const ir::Node& node);

}  // namespace collet::backend::cpu::native
