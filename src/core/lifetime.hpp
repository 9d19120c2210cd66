// The two moments after which a driver must not be touched: in the child of a fork, and once the process
// exits.
#pragma once

#include <atomic>
#include <cstdint>

#include "collet/result.hpp"
#include "platform/platform.hpp"

namespace collet::detail {
class DeviceState;
}

namespace collet::core {

// Lets the exit handler find live devices. The handler stops their service threads and gives work in flight a
// bounded time to end, before drivers unload themselves: it is registered anew after each backend's first
// device, so that it runs before the handlers of that backend's driver.
void enlist(detail::DeviceState* device);
void delist(detail::DeviceState* device);

// Registers the exit handler anew, so that it runs before the handlers of a library that was just loaded.
void renew_exit_handler();

// Around the use of a library that registers exit handlers whenever it first does something, on a thread that
// nobody waits for: an exit of the main thread waits until it is over, for a bounded time, and our own
// handler runs before those. Exits of other threads do not wait.
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

// Calls `use` with the live device of that serial, where there is one.
void with_device(std::uint64_t serial, void (*use)(detail::DeviceState&, std::uint64_t),
                 std::uint64_t argument);

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

// Counts threads that outlive the call that started them, so that exit can wait for them.
class BackgroundTask {
 public:
  BackgroundTask();
  ~BackgroundTask();
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;
};

}  // namespace collet::core
