// How much indices grow from one group to the next, so that a row of groups is checked once.
#pragma once

#include <optional>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu::native {

// Of each node: how much more its 32 bits are in the next group along x, in the same item; nothing where that
// is not known. Takes kernels without vectors, numbered as compact() does.
std::vector<std::optional<std::uint32_t>> find_group_steps(const ir::Kernel& kernel);

}  // namespace collet::backend::cpu::native
