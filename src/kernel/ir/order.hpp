// The order of nodes that does not depend on who traced them. C++ leaves the order of operands to the
// compiler, so two builds of one program may write down `x[i] + y[i]` in two ways; in this order both are the
// same.
#pragma once

#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// For each block, its live nodes. What has an effect stays in order; values come as late as their first use,
// left operands first, but reads stay before the effect that they stood before.
std::vector<std::vector<Id>> canonical_order(const Kernel& kernel, const std::vector<bool>& live);

}  // namespace collet::ir
