// How the items of a group lie in vectors, and what a kernel's code needs beside them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "backends/cpu/native/regions.hpp"
#include "backends/cpu/native/vectors.hpp"
#include "backends/cpu/simt/shapes.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu::native {

// A private array: one vector of lanes for each word of its elements; or, where its elements have words of
// several sizes, one lane's array after the other.
struct ItemArray {
  std::uint32_t word = 0;   // bytes that every access has; 0 where the memory is no private array
  std::uint64_t words = 0;  // 0 where sizes differ
};

// What regions keep in the scratch: a room for each turn and part, of values and variables one scalar or
// vector of lanes. By node or memory; 0 where there is none, for the scratch begins with workgroup memory, or
// with bytes that nobody uses.
struct Rooms {
  std::vector<std::uint64_t> node;
  std::vector<std::uint64_t> memory;
  std::uint64_t alive = 0;  // masks of the lanes that have not returned
};

// A group is `rows` rows of `columns` vectors; a turn of the loop over them takes `parts` vectors, which lie
// in one row, or are whole rows. Where items meet there is one turn, or the body is cut into regions that
// take all turns one after the other.
//
// Threads: immutable.
struct Layout {
  std::uint32_t width = 1;              // lanes of a vector
  std::uint32_t masked_bits = 0;        // as in Vectors
  std::array<std::uint32_t, 3> axes{};  // which dimension each axis is; those of one item come last
  std::uint32_t row = 1;                // items of a row
  std::uint32_t columns = 1;
  std::uint32_t height = 1;  // rows of a plane
  std::uint32_t rows = 1;
  std::uint32_t parts = 1;
  std::uint32_t turns = 1;

  std::vector<std::uint64_t> memory_at;  // of workgroup memory, in the scratch
  std::vector<ItemArray> arrays;         // of each memory
  std::uint64_t group_bytes = 0;

  std::optional<Regions> regions;
  Rooms rooms;
  std::uint64_t scratch_bytes = 0;
};

// Of a scalar, or of one in each lane.
std::uint64_t room_bytes(const Layout& layout, ir::Scalar scalar, bool vector);

// Needs a verified kernel without vectors.
Layout find_layout(const ir::Kernel& kernel, const Shapes& shapes, const Vectors& vectors);

// "" or what the native tier does not cover yet, as a phrase.
std::string find_uncovered(const ir::Kernel& kernel, const Shapes& shapes, const Layout& layout);

}  // namespace collet::backend::cpu::native
