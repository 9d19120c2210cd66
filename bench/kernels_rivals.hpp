// The kernel cases as others do them on the same processor, over the same numbers. Lists are empty where the
// build found no OpenMP, or the machine has no OpenBLAS.
#pragma once

#include "kernels.hpp"

namespace collet::bench {

// The largest of the numbers that a case is given.
inline constexpr std::uint32_t kSaxpyMost = 15;
inline constexpr float kSaxpyFactor = 2;
inline constexpr std::uint32_t kSumMost = 1;
inline constexpr std::uint32_t kCellMost = 1000;
inline constexpr std::uint32_t kLeftMost = 3;
inline constexpr std::uint32_t kRightMost = 5;

using Rivals = std::vector<std::function<Rival()>>;

Rivals saxpy_rivals(std::uint32_t count);
Rivals sum_rivals(std::uint32_t count);
Rivals stencil_rivals(std::uint32_t n);
Rivals tile_rivals(std::uint32_t n);
Rivals block_rivals(std::uint32_t n);

}  // namespace collet::bench
