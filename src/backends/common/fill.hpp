// A fill as launches of a kernel, for APIs that fill with zeros only, or not at all. The kernel stores
// `pattern` into `count` words of its buffer from word `first` on, by groups of kFillItems items in one
// dimension that go on until all words are done.
#pragma once

#include <algorithm>

#include "collet/backend.hpp"

namespace collet::backend::common {

inline constexpr std::uint32_t kFillItems = 64;

struct FillConstants {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t pattern = 0;
  std::uint32_t unused = 0;
};

struct FillLimits {
  std::uint64_t memory_size = 0;  // of the memory that is filled
  std::uint64_t max_binding = 0;
  std::uint32_t alignment = 16;  // of a binding
  std::uint32_t max_groups = 0;
};

// Calls give(slice, constants, groups) for each launch: as much as a binding reaches, from places where one
// may begin.
template <class Give>
Result<void> fill_by_kernel(const Fill& fill, const FillLimits& limits, const Give& give) {
  const std::uint64_t alignment = std::max(limits.alignment, 16u);
  const std::uint64_t most = limits.max_binding / alignment * alignment;
  const std::uint64_t end = fill.to.offset + fill.to.size;
  for (std::uint64_t at = fill.to.offset; at < end;) {
    const std::uint64_t begin = at / alignment * alignment;
    const Slice slice{.memory = fill.to.memory,
                      .offset = begin,
                      .size = std::min(most, limits.memory_size - begin),
                      .access = Access::write};
    const std::uint64_t next = std::min(end, begin + slice.size);
    const FillConstants constants{.first = static_cast<std::uint32_t>((at - begin) / 4),
                                  .count = static_cast<std::uint32_t>((next - at) / 4),
                                  .pattern = fill.pattern};
    COLLET_CHECK(
        give(slice, constants, std::min((constants.count + kFillItems - 1) / kFillItems, limits.max_groups)));
    at = next;
  }
  return {};
}

}  // namespace collet::backend::common
