// The thread that sends replies of one ring to another.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "collet/ring.hpp"
#include "platform/thread.hpp"

namespace collet::detail {

class RingState;

// Threads: thread-safe.
class RingChannelState {
 public:
  // `reply_bytes` are those of a reply of `from` and of a message of `to`.
  RingChannelState(RingState& from, RingState& to, std::uint32_t reply_bytes)
      : from_(from), to_(to), reply_(reply_bytes) {}
  ~RingChannelState();
  RingChannelState(const RingChannelState&) = delete;
  RingChannelState& operator=(const RingChannelState&) = delete;

  Result<void> start();
  Result<RingChannelStats> stop();
  // Its thread is gone: after a fork, or while the process exits.
  bool is_beyond_reach() const;
  Error failure() const;
  RingChannelStats stats() const { return {.sent = sent_.load(), .errors = errors_.load()}; }

 private:
  void run();
  // False where `to` takes no more messages.
  bool pass_on();

  RingState& from_;
  RingState& to_;
  std::vector<std::byte> reply_;  // the thread's
  std::atomic<std::uint64_t> sent_{0}, errors_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::optional<Error> error_;  // why it ended before stop(); guarded by mutex_
  platform::Thread thread_;
};

}  // namespace collet::detail
