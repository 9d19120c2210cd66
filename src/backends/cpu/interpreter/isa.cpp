// What this machine's processor has.

#include "backends/cpu/interpreter/isa.hpp"

namespace collet::backend::cpu::interpreter {

Isa find_isa() {
#if defined(COLLET_X86_LOOPS)
  const auto avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const auto avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (avx2 && avx512) return Isa::avx512;
  if (avx2) return Isa::avx2;
#endif
  return Isa::portable;
}

}  // namespace collet::backend::cpu::interpreter
