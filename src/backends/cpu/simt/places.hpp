// Where a kernel's items and parameters are: what the interpreter and native code agree on.
#pragma once

#include <array>
#include <vector>

#include "collet/backend.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu {

inline constexpr std::uint32_t kSubgroup = 16;  // items, or the group's where it has fewer

// Which dimension each axis of lanes is; those of one item come last.
std::array<std::uint32_t, 3> find_axes(const ir::Kernel& kernel);

// Of each parameter, in the block of constants.
std::vector<std::uint32_t> place_parameters(const ir::Kernel& kernel);

// Items of the group along a dimension that exist.
std::uint32_t existing(const HostGroup& group, std::uint32_t dimension);

}  // namespace collet::backend::cpu
