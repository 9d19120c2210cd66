// Bounds of integers that are known without running the kernel, so that indices need no check.
#pragma once

#include <optional>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu::native {

// Both ends are in it, and no value is negative or above 2^31 - 1.
struct Interval {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// Of each node; nothing where no bounds are known. They hold for every lane, also for those that are masked
// off, as long as local ids are inside the group. Takes kernels without vectors.
std::vector<std::optional<Interval>> find_intervals(const ir::Kernel& kernel);

}  // namespace collet::backend::cpu::native
