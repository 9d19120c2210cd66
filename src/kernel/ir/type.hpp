// The types of kernel values: scalars and vectors of two to four of them. Structs are gone before IR: their
// fields are accesses at byte offsets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collet/detail/ir_types.hpp"

namespace collet::ir {

inline constexpr Type kNothing{};
inline constexpr Type kBool{Scalar::boolean};
inline constexpr Type kI32{Scalar::i32};
inline constexpr Type kU32{Scalar::u32};
inline constexpr Type kF32{Scalar::f32};

constexpr bool is_float(Scalar s) { return s >= Scalar::f16; }
constexpr bool is_integer(Scalar s) { return s >= Scalar::i8 && s <= Scalar::u64; }
constexpr bool is_signed(Scalar s) {
  return s == Scalar::i8 || s == Scalar::i16 || s == Scalar::i32 || s == Scalar::i64;
}
constexpr bool is_number(Scalar s) { return s >= Scalar::i8; }

// Bits of a scalar; 1 for a boolean.
constexpr std::uint32_t bits(Scalar s) {
  switch (s) {
    case Scalar::none: return 0;
    case Scalar::boolean: return 1;
    case Scalar::i8:
    case Scalar::u8: return 8;
    case Scalar::i16:
    case Scalar::u16:
    case Scalar::f16: return 16;
    case Scalar::i32:
    case Scalar::u32:
    case Scalar::f32: return 32;
    case Scalar::i64:
    case Scalar::u64:
    case Scalar::f64: return 64;
  }
  return 0;
}

// Bytes in memory, where booleans never are.
constexpr std::uint32_t bytes(Type type) { return bits(type.scalar) / 8 * type.width; }

constexpr Type with_width(Scalar scalar, std::uint8_t width) { return {scalar, width}; }
// A boolean for each component of `type`.
constexpr Type mask_of(Type type) { return {Scalar::boolean, type.width}; }
// The integer of the same size.
Scalar unsigned_of(Scalar scalar);

// "f32", "u32x4", "bool"; "" for a statement.
std::string to_string(Type type);
std::optional<Type> parse_type(std::string_view text);

}  // namespace collet::ir
