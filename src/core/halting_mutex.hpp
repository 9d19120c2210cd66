// A mutex that can be closed for good.
#pragma once

#include <chrono>
#include <mutex>
#include <thread>

namespace collet::core {

// After halt() nobody gets the lock, and whoever asks for it waits until the process ends. Unlike a lock that
// is never let go, that leaves no lock held: ThreadSanitizer ends a process in which a thread holds 64.
class HaltingMutex {
 public:
  void lock() {
    mutex_.lock();
    if (halted_) [[unlikely]]
      wait_for_the_end();
  }
  void unlock() { mutex_.unlock(); }
  // Instead of unlock().
  void halt() {
    halted_ = true;
    mutex_.unlock();
  }

 private:
  [[noreturn]] void wait_for_the_end() {
    mutex_.unlock();
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

  std::mutex mutex_;
  bool halted_ = false;
};

}  // namespace collet::core
