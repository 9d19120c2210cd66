// The answer of a Vulkan function that lists: asked for the count, then for the entries.
#pragma once

#include <algorithm>
#include <vector>

#include "backends/vulkan/errors.hpp"

namespace collet::backend::vulkan {

// `ask` takes a pointer to the count and one to the entries, or null. No more than `most` are taken, since
// the count is the driver's.
template <class Entry, class Ask>
Result<std::vector<Entry>> list(std::uint32_t most, const Ask& ask) {
  std::uint32_t count = 0;
  COLLET_CHECK(check(ask(&count, static_cast<Entry*>(nullptr)), kEnumerate));
  count = std::min(count, most);
  std::vector<Entry> entries(count);
  COLLET_CHECK(check(ask(&count, entries.data()), kEnumerate));
  entries.resize(std::min<std::size_t>(count, entries.size()));
  return entries;
}

inline constexpr std::uint32_t kMostEntries = 4096;  // of extensions, layers and clocks

}  // namespace collet::backend::vulkan
