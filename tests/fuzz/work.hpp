// A kernel and one launch of it: what the fuzzer makes, runs everywhere, compares and shrinks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::fuzz {

using Bytes = std::vector<std::byte>;

// Threads: one at a time.
struct Work {
  ir::Kernel kernel;
  std::array<std::uint64_t, 3> extent{1, 1, 1};
  std::vector<Bytes> buffers;  // in the order of the kernel's memories
  Bytes constants;             // the parameters at their C++ offsets
};

}  // namespace collet::fuzz
