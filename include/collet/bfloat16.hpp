// A 16-bit float with the range of a float: 1 bit of sign, 8 of exponent, 7 of mantissa.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace collet {

// A way to store floats, on the host and in the buffers of kernels: it becomes a float to be computed with.
class bfloat16 {  // NOLINT(readability-identifier-naming): a scalar like float
 public:
  bfloat16() = default;
  // To the nearest, ties to even; too large becomes infinity.
  constexpr bfloat16(float value) : bits_(rounded(std::bit_cast<std::uint32_t>(value))) {}

  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 made{0.0f};
    made.bits_ = bits;
    return made;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  // Exact.
  constexpr operator float() const { return std::bit_cast<float>(std::uint32_t{bits_} << 16); }

 private:
  static constexpr std::uint16_t rounded(std::uint32_t all) {
    if ((all & 0x7fffffffu) > 0x7f800000u)
      return static_cast<std::uint16_t>(all >> 16 | 0x40u);  // NaN stays one
    return static_cast<std::uint16_t>((all + 0x7fffu + (all >> 16 & 1u)) >> 16);
  }

  std::uint16_t bits_;
};

static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);

}  // namespace collet
