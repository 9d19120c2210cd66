// How the items of a group lie in vectors, and what a kernel's code needs beside them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "backends/cpu/interpreter/shapes.hpp"
#include "backends/cpu/native/vectors.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu::native {

// A private array: one vector of lanes for each word of its elements; or, where its elements have words of
// several sizes, one lane's array after the other.
struct ItemArray {
  std::uint32_t word = 0;   // bytes that every access has; 0 where the memory is no private array
  std::uint64_t words = 0;  // 0 where sizes differ
};

// A group is `rows` rows of `columns` vectors; a turn of the loop over them takes `parts` vectors, which lie
// in one row, or are whole rows.
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
};

// Needs a verified kernel without vectors.
Layout find_layout(const ir::Kernel& kernel, const interpreter::Shapes& shapes, const Vectors& vectors);

// "" or what the native tier does not cover yet, as a phrase.
std::string find_uncovered(const ir::Kernel& kernel, const interpreter::Shapes& shapes, const Layout& layout);

}  // namespace collet::backend::cpu::native
