// The two moments after which a driver must not be touched: in the child of a fork, and once the process
// exits.
#pragma once

#include <atomic>
#include <cstdint>

#include "collet/deadline.hpp"
#include "collet/result.hpp"
#include "platform/platform.hpp"

namespace collet::base {

// Called once when the process exits, before drivers unload themselves: brings to rest what still runs, until
// the deadline at most. One function, whichever thread sets it first.
void set_exit_work(void (*bring_to_rest)(Deadline deadline));

// Registers the exit handler anew, so that it runs before the handlers of a library that was just loaded.
void renew_exit_handler();

// On the main thread: the exit handler also runs before handlers that a driver registers later.
void run_exit_handler_first();

// Held while a thread that nobody joins uses a library which may register exit handlers. An exit of the main
// thread waits for it, for a bounded time, so that our handler runs before the library's. Exits of other
// threads do not wait.
class HoldExit {
 public:
  HoldExit();
  ~HoldExit();
  HoldExit(const HoldExit&) = delete;
  HoldExit& operator=(const HoldExit&) = delete;
  // Fails where the main thread is exiting already: the library must not be used then.
  Result<void> allowed() const;

 private:
  bool allowed_ = false;
};

// Never a valid epoch: of devices in a process that exits.
inline constexpr std::uint32_t kNoEpoch = 0xffffffffu;
// Nor is this: of the devices that moved-from handles refer to.
inline constexpr std::uint32_t kMovedFrom = 0xfffffffeu;

// True where an object made in `epoch` must be leaked, not destroyed.
inline bool abandoned(std::uint32_t epoch) {
  return platform::epoch.load(std::memory_order_relaxed) != epoch;
}

// What a call on such an object returns.
Error abandoned_error(std::uint32_t epoch);

// Held while a driver has work of a thread that nobody stops. An exit waits for it, for a bounded time: when
// the driver's static objects end, its own threads must have nothing to do.
class WorkInDriver {
 public:
  WorkInDriver();
  ~WorkInDriver();
  WorkInDriver(const WorkInDriver&) = delete;
  WorkInDriver& operator=(const WorkInDriver&) = delete;
  // Fails once the process exits: the driver must get no more work.
  static Result<void> allowed();
};

// Counts threads that outlive the call that started them, so that exit can wait for them.
class BackgroundTask {
 public:
  BackgroundTask();
  ~BackgroundTask();
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;
};

}  // namespace collet::base
