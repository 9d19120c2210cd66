// The moment at which a wait gives up.
#pragma once

#include <algorithm>
#include <chrono>

namespace collet {

// Threads: immutable.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  constexpr Deadline() = default;  // never
  constexpr explicit Deadline(Clock::time_point at) : at_(at) {}

  static Deadline in(Clock::duration span) {
    const auto now = Clock::now();
    if (span >= Clock::time_point::max() - now) return Deadline{};
    return Deadline{now + std::max(span, Clock::duration::zero())};
  }

  constexpr bool forever() const { return at_ == Clock::time_point::max(); }
  bool passed() const { return !forever() && Clock::now() >= at_; }
  // Zero when passed; the clock's maximum when forever.
  Clock::duration left() const {
    if (forever()) return Clock::duration::max();
    return std::max(at_ - Clock::now(), Clock::duration::zero());
  }
  constexpr Clock::time_point at() const { return at_; }

 private:
  Clock::time_point at_ = Clock::time_point::max();
};

inline constexpr Deadline kForever{};

}  // namespace collet
