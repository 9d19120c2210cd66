// The processor that code is made for.
#pragma once

#include <cstdint>
#include <string>

#include "backends/cpu/native/llvm.hpp"

namespace collet::backend::cpu::native {

// Host is what this program runs on; the others are for tests of narrower machines than that.
enum class Level : std::uint8_t { host, sse2, avx2, avx512 };

// Threads: immutable.
struct Machine {
  std::string cpu;
  std::string features;
  std::uint32_t width = 4;  // lanes of 32 bits that a vector register has
};

Machine find_machine(const Llvm& llvm, Level level);

}  // namespace collet::backend::cpu::native
