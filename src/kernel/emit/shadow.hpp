// Checked mode on a backend that takes IR: beside a memory stands its shadow, which remembers who wrote and
// who read what. A race, and a read of what nobody wrote, become messages.
//
// Races in workgroup memory are between items of a group with no barrier between them; those in buffers are
// between groups of a launch. Of two accesses to the same bytes at least one writes, and not both are atomic.
// A kernel that releases and acquires (fences, atomic_store and atomic_load) orders its items in ways that
// are not followed, so that no race of it is looked for.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::emit {

// Of a unit of memory: the last mark of each way to touch it, and the place in the program that left it.
inline constexpr std::uint32_t kShadowBytes = 32;

// A mark of an item in workgroup memory: how many barriers the group met, from 1 on, and the item's number in
// its group. Of two items or more of the same time, kManyItems stands for the item.
inline constexpr std::uint32_t kItemBits = 13;
inline constexpr std::uint32_t kManyItems = (1u << kItemBits) - 1;
// A mark of a group in a buffer is its number + 1, x fastest; of two groups or more, this.
inline constexpr std::uint32_t kManyGroups = ~0u;

enum class Touch : std::uint32_t { write, read, atomic, atomic_read };

struct Shadowed {
  ir::Kernel kernel;
  // By buffer of the kernel: the bytes of a unit, 0 where no race is looked for. Where one is not 0, the
  // kernel has one more buffer of kShadowBytes for each unit of these, in their order, all 0; one of a single
  // element tells that no race is to be looked for in buffers.
  std::vector<std::uint32_t> units = {};
};

// Workgroup memory and the arrays of items must be 0 when their group begins. Without `buffers`, races in
// these are not looked for.
Shadowed lower_shadow(const ir::Kernel& kernel, bool buffers);

}  // namespace collet::emit
