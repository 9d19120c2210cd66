// A device's clock beside the host's, for APIs that can't read both at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

#include "collet/backend.hpp"
#include "collet/deadline.hpp"

namespace collet::backend::common {

// Deadline::Clock in nanoseconds.
inline std::uint64_t host_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Deadline::Clock::now().time_since_epoch())
          .count());
}

// `read` gives the device's nanoseconds. The host's time is the middle of the call: of up to eight calls the
// shortest counts, because a thread that loses its core during a call makes the middle wrong by milliseconds.
// Tests give a host's clock of their own.
template <class Read, class Host>
Result<ClockSample> sample_clocks(Read read, Host host) {
  constexpr std::uint64_t kShort = 50'000;
  constexpr int kMost = 8;
  ClockSample best;
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kMost && shortest > kShort; ++i) {
    const std::uint64_t before = host();
    COLLET_TRY(device, read());
    const std::uint64_t took = host() - before;
    if (took >= shortest) continue;
    shortest = took;
    best = {.device_ns = device, .host_ns = before + took / 2};
  }
  return best;
}

template <class Read>
Result<ClockSample> sample_clocks(Read read) {
  return sample_clocks(std::move(read), host_ns);
}

}  // namespace collet::backend::common
