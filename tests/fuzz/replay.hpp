// Kernels that the fuzzer wrote to a file, to be run again.
#pragma once

#include <cstdint>
#include <string>

#include "collet/result.hpp"
#include "fuzz/generator.hpp"
#include "fuzz/work.hpp"

namespace collet::fuzz {

struct Replay {
  Work work;
  std::uint64_t seed = 0;
  Taste taste = Taste::portable;
};

// What collet-fuzz wrote to that file; its buffers are those of the seed.
Result<Replay> read_work(const std::string& path);

std::string text_of(const Bytes& bytes);

// Where two sets of buffers differ first, or what was printed, which stands behind the buffers; "" where they
// are equal.
std::string difference(const std::vector<Bytes>& got, const std::vector<Bytes>& wanted,
                       const ir::Kernel& kernel);

}  // namespace collet::fuzz
