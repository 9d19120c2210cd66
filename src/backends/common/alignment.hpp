// The alignment of slices that a driver asks for, as the core can use it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace collet::backend::common {

// A power of two from 4 bytes to 1 GiB, whatever the driver says.
inline std::uint32_t alignment(std::uint64_t said) {
  return static_cast<std::uint32_t>(std::bit_ceil(std::clamp<std::uint64_t>(said, 4, 1u << 30)));
}

}  // namespace collet::backend::common
