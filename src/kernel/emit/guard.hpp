// Items beyond the elements that a launch asked for do nothing.
#pragma once

#include "kernel/ir/ir.hpp"

namespace collet::emit {

// The kernel for launches whose last groups are not full. Where items meet (barriers and the like) all of
// them run, and those that do not exist read 0 from buffers, write nothing to them and do nothing atomic;
// else they end at once.
ir::Kernel guard(const ir::Kernel& kernel);

}  // namespace collet::emit
