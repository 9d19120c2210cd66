// How long each value's register is needed, and which values need none of their own.
#pragma once

#include <vector>

#include "backends/cpu/simt/shapes.hpp"

namespace collet::backend::cpu::interpreter {

// Positions count nodes and the ends of blocks in the order in which they stand.
struct Lifetimes {
  std::vector<std::uint32_t> end;        // of each value: the last position that needs it
  std::vector<std::uint32_t> block_end;  // of each block
  std::vector<std::uint32_t> at;         // of each node
  std::vector<std::uint32_t> node_end;   // of each if_, range and loop
  std::vector<bool> in_place;  // of each `get`: the variable does not change while its value is needed
  std::vector<ir::Id> home;    // of each value: the variable whose register it is computed into, or kNone
  std::vector<bool> done;      // of each `set`: its value is already there
  std::vector<bool> cleared;   // of each variable: it must begin at 0
  std::uint32_t count = 0;     // of positions
};

Lifetimes find_lifetimes(const ir::Kernel& kernel, const Shapes& shapes);

}  // namespace collet::backend::cpu::interpreter
