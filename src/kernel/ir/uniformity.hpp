// Which values are the same for all items of a workgroup, and which nodes all items reach together, by the
// static rule of WGSL: only what is known without running the kernel counts.
#pragma once

#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::ir {

struct Uniformity {
  std::vector<bool> value;  // of each node: all items of a group that compute it get the same
  std::vector<bool> flow;   // of each node: all items of a group reach it together
};

// Needs a kernel whose references are in order; verify() asks after it has checked those.
Uniformity find_uniformity(const Kernel& kernel);

}  // namespace collet::ir
