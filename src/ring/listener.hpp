// The thread that gives replies to functions of the program.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>

#include "collet/result.hpp"
#include "platform/thread.hpp"

namespace collet::detail {

// What is called with a reply, or with the error in its place.
using RingCall = std::function<void(const Result<const std::byte*>& reply)>;

// Waits for the replies to some messages of a ring, in the order of the messages, which is that of the
// replies.
//
// Threads: thread-safe. Functions are called one at a time, without a lock.
class RingListener {
 public:
  // Waits for the reply of a message, and gives where it is; called on the thread only.
  using Take = std::function<Result<const std::byte*>(std::uint32_t number)>;
  RingListener(std::string ring, Take take) : ring_(std::move(ring)), take_(std::move(take)) {}
  ~RingListener();
  RingListener(const RingListener&) = delete;
  RingListener& operator=(const RingListener&) = delete;

  // The thread begins with the first. Fails where the system gives none.
  Result<void> start();
  // `number` rises with each message of the ring.
  void listen(std::uint64_t number, RingCall call);
  // Calls what is left, by which time no reply is waited for any more, and ends the thread.
  void stop();

 private:
  void run();

  const std::string ring_;
  const Take take_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, RingCall> calls_;  // guarded by mutex_
  bool stopping_ = false;                    // guarded by mutex_
  platform::Thread thread_;
};

}  // namespace collet::detail
