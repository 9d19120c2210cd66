// Items beyond the elements that a launch asked for do nothing.
#pragma once

#include "kernel/ir/ir.hpp"

namespace collet::emit {

// The kernel for launches whose last groups are not full. Where items meet (barriers and the like) all of
// them run, and only their reads and writes of buffers are guarded; else those that do not exist end at once.
ir::Kernel guard(const ir::Kernel& kernel);

}  // namespace collet::emit
