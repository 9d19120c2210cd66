// The part of the kernel IR that the tracer's templates need: types, operations, and numbers of values.
#pragma once

#include <cstdint>

namespace collet::ir {

enum class Scalar : std::uint8_t { none, boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };

struct Type {
  Scalar scalar = Scalar::none;  // none: a statement, which has no value
  std::uint8_t width = 1;

  friend constexpr bool operator==(const Type&, const Type&) = default;
};

enum class Op : std::uint8_t {
#define COLLET_OP(name, rule, arguments) name,
#include "collet/detail/ops.inc"
#undef COLLET_OP
};

using Id = std::uint32_t;  // of a node, and of the value that it defines
inline constexpr Id kNone = 0xffffffffu;

constexpr std::uint64_t pack(std::uint32_t low, std::uint32_t high) {
  return low | static_cast<std::uint64_t>(high) << 32;
}

}  // namespace collet::ir
