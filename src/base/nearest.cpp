// The known word that a mistyped one is nearest to: the optimal string alignment distance.

#include "base/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace collet::base {
namespace {

constexpr std::size_t kFarthest = 2;

std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t kLongest = 64;  // no word of ours is near to a longer one
  if (word.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = kFarthest + 1;
  for (const std::string_view one : known) {
    const std::size_t far = distance(word, one);
    if (far < least && 2 * far < one.size()) {
      best = one;
      least = far;
    }
  }
  return best;
}

}  // namespace collet::base
