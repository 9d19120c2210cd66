// Counts the heap allocations of the whole process.
#pragma once

#include <cstdint>
#include <optional>

namespace collet::bench {

// Begins to count, from 0. Costs every allocation a branch while nobody counts.
void count_allocations();
// Ends it. Nothing where this build cannot count: not glibc, or a sanitizer owns the heap.
std::optional<std::uint64_t> allocations_counted();

}  // namespace collet::bench
