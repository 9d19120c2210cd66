// f16 in memory and registers: bits that become a float to be computed with, and round to nearest even back.
#pragma once

#include <bit>
#include <cstdint>

#include "backends/cpu/interpreter/isa.hpp"

namespace collet::backend::cpu::interpreter {

struct Half {
  std::uint16_t bits = 0;
};

COLLET_INLINE float to_float(Half half) {
  const std::uint32_t rest = half.bits & 0x7fffu;
  const std::uint32_t sign = (half.bits & 0x8000u) << 16;
  // Moved into place, the exponent is short by 112, for subnormals too.
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest << 13) * 0x1p112f);
  const std::uint32_t special = rest << 13 | (rest > 0x7c00u ? 0x7fc00000u : 0x7f800000u);  // NaN is quiet
  return std::bit_cast<float>((rest >= 0x7c00u ? special : finite) | sign);
}

COLLET_INLINE Half to_half(float value) {
  const auto all = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rest = all & 0x7fffffffu;
  const std::uint32_t special = rest > 0x7f800000u ? 0x7e00u : 0x7c00u;
  // Adding 0.5 leaves a subnormal's bits at the end of the mantissa, rounded.
  const std::uint32_t small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) + 0.5f) - 0x3f000000u;
  const std::uint32_t normal = (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1u)) >> 13;
  const std::uint32_t bits = rest >= 0x47800000u ? special : rest < 0x38800000u ? small : normal;
  return {static_cast<std::uint16_t>(bits | (all >> 16 & 0x8000u))};
}

// Through a float that is rounded to odd, so that the second rounding sees what the first dropped.
inline Half to_half(double value) {
  const auto near = static_cast<float>(value);
  const auto bits = std::bit_cast<std::uint32_t>(near);
  const double back = near;
  if (back == value || value != value || (bits & 0x7fffffffu) == 0x7f800000u) return to_half(near);
  const bool above = (back < 0 ? -back : back) > (value < 0 ? -value : value);
  return to_half(std::bit_cast<float>((above ? bits - 1 : bits) | 1u));
}

}  // namespace collet::backend::cpu::interpreter
