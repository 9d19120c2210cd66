// A ring: its slots, the thread that keeps its kernel running, and those who wait for replies.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "collet/ring.hpp"
#include "platform/thread.hpp"
#include "ring/listener.hpp"
#include "ring/slots.hpp"

namespace collet::detail {

// Threads: thread-safe. Counted by nobody: the handle owns it.
class RingState {
 public:
  RingState(const Device& on, RingPlan plan, RingDriver driver);
  ~RingState();
  RingState(const RingState&) = delete;
  RingState& operator=(const RingState&) = delete;

  // Starts the thread that keeps the kernel running.
  Result<void> start();

  // False where all slots are taken.
  Result<bool> try_send(const void* message, ring::Wanted wanted, std::uint32_t& number);
  Result<std::uint32_t> send(const void* message, ring::Wanted wanted, Deadline deadline);
  // The reply of a call().
  Result<void> take(std::uint32_t number, void* reply, Deadline deadline);
  // The same by a call on a thread of the ring's.
  Result<void> call_later(const void* message, RingCall call, Deadline deadline);
  Result<bool> try_receive(void* reply);
  Result<void> receive(void* reply, Deadline deadline);
  // The same for a thread that waits for messages, too, in steps of up to 50 ms: false where there was none.
  // An error is that of a handler, or of the ring, which has ended then.
  Result<bool> receive_soon(void* reply);
  bool has_ended() const;  // nothing is handled any more
  // Who waits in receive_soon() looks again.
  void wake_receiver();

  void pause(bool paused);
  RingStats stats() const;
  Result<RingStats> close(Deadline deadline);
  // What was sent and not handled is dropped.
  void abandon();
  // The device must not be touched any more: after a fork, or while the process exits.
  bool is_beyond_reach() const;
  // Why it takes no messages any more.
  Error failure() const;

  const RingPlan plan;

 private:
  void serve();
  void park();
  bool has_work() const;
  bool is_ending() const;
  void run_live();
  void run_batch();
  void ended(const Result<Receipt>& result);
  void wake_parked();
  void ask_to_leave();
  void fail(const Error& error);
  Result<void> open_for_messages() const;
  // Why there is no reply, where the handler of message `number` failed.
  Error failure_of(std::uint32_t number, Deadline deadline);
  // Until ready(), spinning first; false where the deadline passed or the kernel ended before.
  template <class Ready>
  bool wait_until(const Ready& ready, Deadline deadline);
  Error not_in_time(const std::string& doing) const;
  // Frees the slots of calls that were not waited for to the end, where their replies are there.
  void reap();
  std::uint64_t handled() const;

  const Device device_;
  const RingDriver driver_;
  // Of a device whose memory the host can't reach, the host's copies.
  std::vector<std::uint32_t> control_copy_;
  std::vector<std::byte> message_copy_, reply_copy_;
  ring::Slots slots_;
  Stream stream_;
  platform::Thread thread_;

  // Threads that sleep until a message is sent, or are about to: the service, and who receives soon.
  alignas(64) std::atomic<std::uint32_t> parked_{0};
  std::uint32_t wake_ = 0;  // their futex
  std::atomic<bool> paused_{false};
  std::atomic<bool> closing_{false};    // no more messages
  std::atomic<bool> abandoned_{false};  // and those that were sent are dropped
  std::atomic<bool> failed_{false};
  std::atomic<bool> over_{false};  // the service has ended
  std::atomic<std::uint32_t> sleepers_{0};
  std::uint32_t ended_ = 0;  // futex of who waits for replies: rises when a launch has ended
  std::atomic<std::uint64_t> launches_{0};

  // The service's alone.
  std::uint32_t next_ = 0;  // the first message of the next launch
  std::uint32_t failures_seen_ = 0;

  std::vector<std::byte> listened_;  // the reply that the listener gives; its thread's
  RingListener listener_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Error> failure_;             // of the ring
  std::map<std::uint32_t, Error> failures_;  // of messages
  std::vector<std::uint32_t> given_up_;      // calls whose deadline passed
};

}  // namespace collet::detail
