// Which values are the same in all lanes, which are linear in the item's place, and where lanes part ways.
//
// This asks less than ir::find_uniformity(), whose rule is for all targets: lanes in lockstep load the same
// from the same place, and lanes that have returned do not matter.
#pragma once

#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu {

enum class Shape : std::uint8_t { uniform, linear, varying };

struct Shapes {
  std::vector<Shape> value;     // of each node's value, and of each variable
  std::vector<bool> lanes;      // of each linear node: somebody needs it lane by lane
  std::vector<bool> divergent;  // of each if_, range and loop: needs masks
  // Of each `set`: every lane that can still read the variable comes here, or none.
  std::vector<bool> together;
  // Of each if_, range and loop: lanes may leave it for good by a mask: break_ or continue_ of a loop
  // around it, return_.
  std::vector<bool> left_by_mask;
  bool whole_group = false;      // items meet
  bool divergent_loops = false;  // some loop runs as long as its slowest lane
};

// Needs a verified kernel.
Shapes find_shapes(const ir::Kernel& kernel);

}  // namespace collet::backend::cpu
