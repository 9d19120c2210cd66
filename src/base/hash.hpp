// FNV-1a in 64 bits: a hash to tell texts apart, not against those who make them on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace collet::base {

// Every step is reversible, so texts of one length that differ in one byte never have the same hash.
class Hash {
 public:
  constexpr Hash& add(std::uint64_t value) {
    value_ = (value_ ^ value) * 0x100000001b3u;
    return *this;
  }
  constexpr Hash& add(std::string_view text) {
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
    return *this;
  }
  constexpr Hash& add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) add(std::to_integer<std::uint64_t>(byte));
    return *this;
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace collet::base
