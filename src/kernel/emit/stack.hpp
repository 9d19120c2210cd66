// For drivers that run the items of a group one after another on one stack: what each item keeps there while
// others run.
#pragma once

#include <cstdint>

#include "collet/result.hpp"
#include "kernel/emit/emit.hpp"

namespace collet::emit {

// Bytes of an item: its arrays, the variables that are read anew each time, and the variables and values that
// may live across a barrier. A compiler may find that it needs less.
std::uint64_t kept_bytes(const ir::Kernel& plain);

// Refuses a kernel whose groups keep more than the target's stack holds, where the target asks for that.
Result<void> check_stack(const ir::Kernel& plain, const Target& target);

}  // namespace collet::emit
