// The processor that code is made for.
#pragma once

#include <string>

#include "backends/cpu/native/llvm.hpp"
#include "backends/cpu/native/vectors.hpp"

namespace collet::backend::cpu::native {

// Host is what this program runs on; the others are for tests of narrower machines than that. A processor has
// its own: x86-64 has scalar, sse2, avx2 and avx512, AArch64 has scalar and neon, others have none but host.
enum class Level : std::uint8_t { host, scalar, sse2, avx2, avx512, neon };

// Threads: immutable.
struct Machine {
  std::string cpu;
  std::string features;
  Vectors vectors;
};

// What COLLET_CPU_VECTORS asks for; host where it is not set. Fails where this kind of processor has no such
// level.
Result<Level> find_level();

// Fails where this processor can't run what is asked for.
Result<Machine> find_machine(const Llvm& llvm, Level level);

}  // namespace collet::backend::cpu::native
