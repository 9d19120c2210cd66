// The scalar types of PTX, and how a register of 64 bits holds a value of each.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace collet::cuda_double {

// Declared before the types of the same names.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f32,
  f64
};

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// A bit for each thread of a warp.
using Lanes = u32;
inline constexpr unsigned kWarpSize = 32;
inline constexpr Lanes kAllLanes = ~Lanes{0};

constexpr unsigned size_of(Type type) {
  switch (type) {
    case Type::none: return 0;
    case Type::pred:
    case Type::b8:
    case Type::u8:
    case Type::s8: return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16: return 2;
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f32: return 4;
    default: return 8;
  }
}
constexpr bool is_float(Type type) { return type >= Type::f16; }
constexpr bool is_signed(Type type) { return type >= Type::s8 && type <= Type::s64; }

// A half: its bits only, since arithmetic on halves is done in double and rounded once.
struct Half {
  u16 bits = 0;
};

// The low bits of a register as a T; what stands above them is ignored.
template <class T>
inline T from_register(u64 value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<u32>(value));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(value);
  } else if constexpr (std::is_same_v<T, Half>) {
    return Half{static_cast<u16>(value)};
  } else {
    return static_cast<T>(value);
  }
}

// Signed numbers are extended by their sign, all else by zeros.
template <class T>
inline u64 to_register(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<u32>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<u64>(value);
  } else if constexpr (std::is_same_v<T, Half>) {
    return value.bits;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<u64>(static_cast<s64>(value));
  } else {
    return value;
  }
}

// Calls body(lane) for each lane of the mask, from the lowest.
template <class Body>
inline void for_lanes(Lanes mask, Body body) {
  if (mask == kAllLanes) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) body(lane);
    return;
  }
  for (; mask != 0; mask &= mask - 1) body(static_cast<unsigned>(std::countr_zero(mask)));
}

double half_to_double(Half half);
// Rounds to the nearest, ties to even, or towards zero.
Half double_to_half(double value, bool towards_zero = false);

}  // namespace collet::cuda_double
