// Waits between two looks at something that can only be polled.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "collet/deadline.hpp"

namespace collet::backend::common {

// Short work is seen at once and long work costs no processor: the first looks follow each other directly for
// 20 µs or `spin`, later ones after sleeps that grow from 20 µs to 1 ms and never reach beyond the deadline.
//
//   for (Backoff backoff(deadline); !done();) if (!backoff.pause()) return timeout;
//
// Threads: one at a time.
class Backoff {
 public:
  explicit Backoff(Deadline deadline, std::chrono::microseconds spin = kSpin)
      : deadline_(deadline), spin_until_(Deadline::Clock::now() + spin) {}

  // False, at once, when the deadline has passed.
  bool pause() {
    if (deadline_.passed()) return false;
    if (const auto sleep = next(); sleep.count() != 0)
      std::this_thread::sleep_for(sleep);
    else
      std::this_thread::yield();  // the driver's workers may need this very core
    return true;
  }

  // How long to sleep before the next look; 0: not at all.
  Deadline::Clock::duration next() {
    if (Deadline::Clock::now() < spin_until_) return {};
    const auto sleep = sleep_;
    sleep_ = std::min(sleep_ * 3 / 2, kLongest);
    return std::min<Deadline::Clock::duration>(sleep, deadline_.left());
  }

 private:
  static constexpr std::chrono::microseconds kSpin{20};
  static constexpr std::chrono::microseconds kLongest{1000};

  Deadline deadline_;
  Deadline::Clock::time_point spin_until_;
  std::chrono::microseconds sleep_{20};
};

}  // namespace collet::backend::common
