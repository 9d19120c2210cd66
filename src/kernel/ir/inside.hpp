// Which loads, stores and atomic operations can't reach beyond their memory.
#pragma once

#include <vector>

#include "kernel/ir/ceilings.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::ir {

struct Inside {
  // Of each node: it is an access that is inside, whatever a launch passes.
  std::vector<bool> always;
  // Of each node: the term that its index does not exceed, for accesses to buffers that have one; else kNone.
  // The access is inside where that is below the length.
  std::vector<std::uint32_t> ceiling;
  std::vector<Ceiling> terms;
};

// Known are the bounds of arithmetic, and what conditions say of a value in the branches and behind the exits
// that they guard. Holds for items that run the node, and for buffers of one element or more.
Inside find_inside(const Kernel& kernel);

// Of each node: the first that computes the same value, or itself.
std::vector<Id> find_equal(const Kernel& kernel);

}  // namespace collet::ir
