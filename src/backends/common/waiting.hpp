// How far a wait for several timelines is.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::common {

struct Waiting {
  bool over = false;
  std::size_t reached = 0;      // of the points
  Point missing;                // one that is not reached
  std::uint64_t stands_at = 0;  // its timeline
};

// `query` gives the value that a timeline has reached, or the error that it failed with.
template <class Query>
Result<Waiting> look_at(std::span<const Point> points, WaitFor mode, const Query& query) {
  Waiting waiting;
  for (const Point& point : points) {
    COLLET_TRY(value, query(point.timeline));
    if (value >= point.value) {
      ++waiting.reached;
    } else {
      waiting.missing = point;
      waiting.stands_at = value;
    }
  }
  waiting.over = waiting.reached == points.size() || (mode == WaitFor::any && waiting.reached != 0);
  return waiting;
}

Error timeout_error(const Waiting& waiting, std::size_t points);

}  // namespace collet::backend::common
