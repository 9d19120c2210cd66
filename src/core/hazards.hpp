// Which memory was touched since the last ordered command: decides whether the next command must wait.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/checked.hpp"
#include "collet/backend.hpp"

namespace collet::core {

// Whether two slices share a byte.
inline bool overlapping(const backend::Slice& a, const backend::Slice& b) {
  return a.memory == b.memory && base::ranges_overlap(a.offset, a.size, b.offset, b.size);
}

// Forgets nothing that matters: when it is full, the next command is ordered. Threads: one at a time.
class Hazards {
 public:
  // True where a command on `slices` must see what came before; then it starts afresh from that command.
  bool order(std::span<const backend::Slice> slices) {
    const bool ordered = all_ || count_ + slices.size() > touched_.size() || conflicts(slices);
    if (ordered) {
      count_ = 0;
      all_ = slices.size() > touched_.size();
      if (all_) return true;
    }
    for (const backend::Slice& slice : slices) touched_[count_++] = slice;
    return ordered;
  }

  // The next command is ordered, whatever it touches.
  void order_next() { all_ = true; }

 private:
  bool conflicts(std::span<const backend::Slice> slices) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const backend::Slice& before = touched_[i];
      for (const backend::Slice& now : slices) {
        if (now.access == backend::Access::read && before.access == backend::Access::read) continue;
        if (overlapping(now, before)) return true;
      }
    }
    return false;
  }

  std::array<backend::Slice, 32> touched_;
  std::size_t count_ = 0;
  bool all_ = true;
};

}  // namespace collet::core
