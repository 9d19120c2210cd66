// One function per direction, by type.

#include "scalars.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <type_traits>

namespace collet::tool {
namespace {

template <class T>
Bytes bytes_of(T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  return {bytes.begin(), bytes.end()};
}

template <class T>
std::string shown(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (sizeof(T) == 1)
    return std::to_string(static_cast<int>(value));
  else if constexpr (std::is_floating_point_v<T>) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
    return text;
  } else {
    return std::to_string(value);
  }
}

}  // namespace

std::optional<Bytes> scalar_bytes(ir::Scalar scalar, std::string_view text) {
  const auto read = [&]<class T>(T value) -> std::optional<Bytes> {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return bytes_of(value);
  };
  switch (scalar) {
    case ir::Scalar::i8: return read(std::int8_t{});
    case ir::Scalar::u8: return read(std::uint8_t{});
    case ir::Scalar::i16: return read(std::int16_t{});
    case ir::Scalar::u16: return read(std::uint16_t{});
    case ir::Scalar::i32: return read(std::int32_t{});
    case ir::Scalar::u32: return read(std::uint32_t{});
    case ir::Scalar::i64: return read(std::int64_t{});
    case ir::Scalar::u64: return read(std::uint64_t{});
    case ir::Scalar::f32: return read(float{});
    case ir::Scalar::f64: return read(double{});
    default: return std::nullopt;
  }
}

bool is_nan(ir::Scalar scalar, const std::byte* at) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (scalar) {
    case ir::Scalar::f16: return (read(std::uint16_t{}) & 0x7fffu) > 0x7c00u;
    case ir::Scalar::f32: return std::isnan(read(float{}));
    case ir::Scalar::f64: return std::isnan(read(double{}));
    default: return false;
  }
}

std::string scalar_text(ir::Scalar scalar, const std::byte* at) {
  switch (scalar) {
    case ir::Scalar::i8: return shown<std::int8_t>(at);
    case ir::Scalar::u8: return shown<std::uint8_t>(at);
    case ir::Scalar::i16: return shown<std::int16_t>(at);
    case ir::Scalar::u16:
    case ir::Scalar::f16: return shown<std::uint16_t>(at);
    case ir::Scalar::i32: return shown<std::int32_t>(at);
    case ir::Scalar::i64: return shown<std::int64_t>(at);
    case ir::Scalar::u64: return shown<std::uint64_t>(at);
    case ir::Scalar::f32: return shown<float>(at);
    case ir::Scalar::f64: return shown<double>(at);
    default: return shown<std::uint32_t>(at);
  }
}

}  // namespace collet::tool
