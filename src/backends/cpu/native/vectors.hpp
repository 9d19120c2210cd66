// What a processor's vectors can hold and do, as far as emitted code depends on it.
#pragma once

#include <cstdint>

namespace collet::backend::cpu::native {

struct Vectors {
  std::uint32_t width = 4;  // lanes of 32 bits
  // Elements of fewer bits have no instruction that stores some lanes only; 0 where none have.
  std::uint32_t masked_bits = 0;
  std::uint32_t registers = 16;
};

inline constexpr Vectors kScalar{.width = 1};
inline constexpr Vectors kSse2{.width = 4};
inline constexpr Vectors kNeon = kSse2;
inline constexpr Vectors kAvx2{.width = 8, .masked_bits = 32};
inline constexpr Vectors kAvx512{.width = 16, .masked_bits = 8, .registers = 32};

}  // namespace collet::backend::cpu::native
