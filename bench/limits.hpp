// What collet-bench --check holds the rows to: every limit of every suite, in one table.
#pragma once

#include <span>

#include "harness.hpp"

namespace collet::bench {

// `ours` may be at most `ratio` times the reference. What is timed is allowed `slack` of that on top, since
// other programs run on the machine too; a count is not.
struct Limit {
  double ratio = 1;
  double slack = 0;

  double most(double reference) const { return ratio * reference * (1 + slack); }
};

inline constexpr double kSlack = 0.05;

// Nothing for rows that are shown for information, and where no limit was ever set.
std::optional<Limit> limit_of(const Row& row);

// The same on every run of the same program, however busy the machine is: instructions, allocations, sizes.
bool is_steady(const Row& row);

bool is_missed(const Row& row);

// A sentence for each limit that is missed.
std::vector<std::string> missed_limits(std::span<const Row> rows);

}  // namespace collet::bench
