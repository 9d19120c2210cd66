// What tables hold, by element.
#pragma once

#include <cstring>

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// Most bytes of all tables of a kernel: what every OpenCL device has of constant memory.
inline constexpr std::uint64_t kMostTableBytes = 64u << 10;

// The bits of an element, zero-extended; needs one that is there.
inline std::uint64_t table_element(const Memory& table, std::uint64_t index) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, table.contents.data() + index * table.stride, table.stride);
  return bits;
}

inline void add_element(Memory& table, std::uint64_t bits) {
  const auto* first = reinterpret_cast<const std::byte*>(&bits);
  table.contents.insert(table.contents.end(), first, first + table.stride);
  ++table.count;
}

}  // namespace collet::ir
