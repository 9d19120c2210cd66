// The smallest kernel that still shows a fault.
#pragma once

#include <functional>

#include "fuzz/work.hpp"

namespace collet::fuzz {

// Drops statements, puts blocks in the place of their branches and constants in the place of values, as long
// as the kernel still has one meaning and `bad` says that the fault is there. Of kernels whose items meet,
// what they do there stays. Asks `bad` at most `most` times.
Work shrink(Work work, const std::function<bool(const Work&)>& bad, int most = 400);

}  // namespace collet::fuzz
