// What a compiled kernel is called with. Its code knows these offsets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace collet::backend::cpu::native {

struct Frame {
  std::byte* const* buffers = nullptr;
  const std::uint64_t* counts = nullptr;  // elements of each buffer, at most 2^32
  const std::byte* constants = nullptr;
  std::byte* scratch = nullptr;           // workgroup memory
  std::array<std::uint32_t, 3> group{};   // the first one's id
  std::uint32_t groups = 0;               // how many run, along x
  std::array<std::uint32_t, 3> count{};   // groups of the grid
  std::array<std::uint32_t, 3> extent{};  // items of the grid, at most 2^32 - 1
  std::array<std::uint32_t, 3> exists{};  // items of the group along its axes; for partial ones
};

}  // namespace collet::backend::cpu::native
