// Names of types.

#include "kernel/ir/type.hpp"

#include <array>

namespace collet::ir {
namespace {

constexpr std::array<std::string_view, 13> kNames{"",    "bool", "i8",  "u8",  "i16", "u16", "i32",
                                                  "u32", "i64",  "u64", "f16", "f32", "f64"};

}  // namespace

Scalar unsigned_of(Scalar scalar) {
  switch (bits(scalar)) {
    case 8: return Scalar::u8;
    case 16: return Scalar::u16;
    case 32: return Scalar::u32;
    case 64: return Scalar::u64;
    default: return scalar;
  }
}

std::string to_string(Type type) {
  std::string name(kNames[static_cast<std::size_t>(type.scalar)]);
  if (type.width > 1) name += "x" + std::to_string(type.width);
  return name;
}

std::optional<Type> parse_type(std::string_view text) {
  std::uint8_t width = 1;
  if (const std::size_t x = text.find('x'); x != std::string_view::npos) {
    if (x + 2 != text.size() || text[x + 1] < '2' || text[x + 1] > '4') return std::nullopt;
    width = static_cast<std::uint8_t>(text[x + 1] - '0');
    text = text.substr(0, x);
  }
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    if (kNames[i] == text) return Type{static_cast<Scalar>(i), width};
  }
  return std::nullopt;
}

}  // namespace collet::ir
