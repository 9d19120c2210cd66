// Rewrites of a verified kernel. Each leaves a kernel that verify() accepts and that means the same.
#pragma once

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// Computes what is known ahead: operations on constants, x + 0, x * 1, branches on constants.
void fold(Kernel& kernel);

// Drops values that nobody uses, variables that nobody reads, and blocks that nothing enters; then numbers
// what is left in the order in which it stands. Two kernels that differ only in that become equal.
void compact(Kernel& kernel);

// Of the canonical text: equal kernels have equal hashes, whoever compiled the program that made them.
std::uint64_t hash(const Kernel& kernel);

}  // namespace collet::ir
