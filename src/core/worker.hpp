// A thread that sleeps until its owner has something for it.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "collet/deadline.hpp"
#include "collet/result.hpp"
#include "platform/thread.hpp"

namespace collet::core {

// Threads: thread-safe.
class Worker {
 public:
  // What owner and thread share, with more behind it. It outlives the owner where the thread itself drops the
  // last reference to that.
  struct Mailbox {
    std::mutex mutex;
    std::condition_variable changed;
    bool stopping = false;  // the thread's work() returns soon
    bool ended = false;
  };

  Worker(const char* name, std::shared_ptr<Mailbox> mailbox) : name_(name), mailbox_(std::move(mailbox)) {}
  ~Worker() { stop(kForever); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Under the mailbox's lock: starts the thread with its first work. Fails where the system gives no thread;
  // a later call tries again.
  Result<void> start_locked(std::function<void()> work);
  // Ends the thread; called by itself, or where it does not end in time, leaves it alone.
  void stop(Deadline deadline);

 private:
  const char* name_;
  const std::shared_ptr<Mailbox> mailbox_;
  platform::Thread thread_;
};

}  // namespace collet::core
