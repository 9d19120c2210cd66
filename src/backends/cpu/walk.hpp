// The order in which the groups of a grid run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu {

// How many groups along x are a strip: of groups that fetch tiles of two matrices again and again, those of a
// strip find the columns that they share in the cache. 0: no strips, where memory is read as it comes.
std::uint32_t find_columns(const ir::Kernel& kernel);

// Goes from group to group: along x up to the strip's end, then along y; strip after strip; then along z. A
// grid that is wide is one strip: what its rows share would be fetched for each strip, which is as much.
//
// Threads: one at a time.
class Walk {
 public:
  // From the first group. `columns` as find_columns() gives them.
  Walk(const std::array<std::uint32_t, 3>& count, std::uint32_t columns)
      : count_(count), columns_(is_worth_it(count, columns) ? columns : count[0]) {
    begin_strip(0);
  }
  // From the group with this number in that order: five divisions, which take longer than a small group.
  Walk(const std::array<std::uint32_t, 3>& count, std::uint32_t columns, std::uint64_t number)
      : Walk(count, columns) {
    const std::uint64_t plane = std::uint64_t{count[0]} * count[1];
    const std::uint64_t in_plane = number % plane;
    const std::uint64_t strip = in_plane / (std::uint64_t{columns_} * count[1]);
    begin_strip(static_cast<std::uint32_t>(strip * columns_));
    const std::uint64_t in_strip = in_plane - std::uint64_t{first_} * count[1];
    id_ = {first_ + static_cast<std::uint32_t>(in_strip % (end_ - first_)),
           static_cast<std::uint32_t>(in_strip / (end_ - first_)),
           static_cast<std::uint32_t>(number / plane)};
  }

  const std::array<std::uint32_t, 3>& id() const { return id_; }
  // Groups up to the end of the row, in the strip; with this one.
  std::uint32_t left() const { return end_ - id_[0]; }

  // At most left().
  void go(std::uint32_t groups) {
    id_[0] += groups;
    if (id_[0] != end_) return;
    if (++id_[1] == count_[1]) {
      const bool was_last = end_ == count_[0];
      id_[1] = 0;
      if (was_last) ++id_[2];
      begin_strip(was_last ? 0 : end_);
    }
    id_[0] = first_;
  }

 private:
  static bool is_worth_it(const std::array<std::uint32_t, 3>& count, std::uint32_t columns) {
    return std::uint64_t{count[1]} * columns > std::uint64_t{count[0]} * 2;
  }

  void begin_strip(std::uint32_t first) {
    first_ = first;
    end_ = first + std::min(columns_, count_[0] - first);
  }

  std::array<std::uint32_t, 3> count_;
  std::uint32_t columns_;
  std::uint32_t first_ = 0;  // of the strip
  std::uint32_t end_ = 0;
  std::array<std::uint32_t, 3> id_{};
};

}  // namespace collet::backend::cpu
