// Bounds of integers that are known without running the kernel, so that indices need no check.
#pragma once

#include <optional>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// Both ends are in it, and no value is negative or above 2^31 - 1.
struct Interval {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// Nothing where no bounds are known.
using Bounds = std::optional<Interval>;

// Bounds of the value of `node` from those of its arguments, which stand in `found` at their numbers. For a
// range they are those of the counter in the items that run the body.
Bounds bounds_of(const Kernel& kernel, const Node& node, const std::vector<Bounds>& found);

// Bounds of each node. They hold for every lane, also for those that are masked off, as long as local ids are
// inside the group. Takes kernels without vectors.
std::vector<Bounds> find_intervals(const Kernel& kernel);

}  // namespace collet::ir
