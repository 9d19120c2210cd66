// Whether a device still works: the first error that says it is gone is kept.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "collet/backend.hpp"

namespace collet::backend::common {

// Threads: thread-safe.
class Health {
 public:
  // The error that the device was lost with.
  Result<void> check() const {
    if (!lost_.load(std::memory_order_acquire)) [[likely]]
      return {};
    const std::lock_guard lock(mutex_);
    return *why_;
  }

  // Remembers a lost device; gives the error back.
  Error note(Error error) {
    if (error.code() != ErrorCode::device_lost) return error;
    const std::lock_guard lock(mutex_);
    if (!why_) why_ = error;
    lost_.store(true, std::memory_order_release);
    return error;
  }

 private:
  std::atomic<bool> lost_{false};
  mutable std::mutex mutex_;
  std::optional<Error> why_;  // guarded by mutex_
};

}  // namespace collet::backend::common
