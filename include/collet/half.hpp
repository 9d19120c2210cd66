// A 16-bit float: 1 bit of sign, 5 of exponent, 10 of mantissa, as GPUs and IEEE have it.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace collet {

// On the host it is memory: it becomes a float to be computed with.
class half {  // NOLINT(readability-identifier-naming): a scalar like float
 public:
  half() = default;
  // To the nearest, ties to even; too large becomes infinity.
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr half(T value) : bits_(rounded(value)) {}

  static constexpr half from_bits(std::uint16_t bits) {
    half made{0.0f};
    made.bits_ = bits;
    return made;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  // Exact.
  constexpr operator float() const {
    const std::uint32_t rest = bits_ & 0x7fffu;
    const std::uint32_t sign = (bits_ & 0x8000u) << 16;
    if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    // Moved into place, the exponent is short by 112, for denormals too.
    const float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112f;
    return sign != 0 ? -magnitude : magnitude;
  }

 private:
  static constexpr std::uint16_t from_float(float value) {
    const auto all = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = all >> 16 & 0x8000u;
    const std::uint32_t rest = all & 0x7fffffffu;
    if (rest > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (rest >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (rest < 0x38800000u) {
      // Adding 0.5 leaves a denormal's bits at the end of the mantissa, rounded.
      const float shifted = std::bit_cast<float>(rest) + 0.5f;
      return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
    }
    return static_cast<std::uint16_t>(sign | (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1u)) >> 13);
  }

  template <class T>
  static constexpr std::uint16_t rounded(T value) {
    const auto near = static_cast<float>(value);
    if constexpr (!std::is_same_v<T, float>) {
      // Through a float that is rounded to odd, so that the second rounding sees what the first dropped.
      const auto wide = static_cast<long double>(value);
      const auto back = static_cast<long double>(near);
      const auto bits = std::bit_cast<std::uint32_t>(near);
      if (back != wide && wide == wide && (bits & 0x7fffffffu) != 0x7f800000u) {
        const bool above = (back < 0 ? -back : back) > (wide < 0 ? -wide : wide);
        return from_float(std::bit_cast<float>((above ? bits - 1 : bits) | 1u));
      }
    }
    return from_float(near);
  }

  std::uint16_t bits_;
};

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>);

}  // namespace collet
