// Fork and exit: live devices are listed, and the exit handler brings them to rest.

#include "core/lifetime.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "core/device_state.hpp"
#include "platform/platform.hpp"

namespace collet::core {
namespace {

constexpr auto kExitPatience = std::chrono::seconds(2);

struct Live {
  std::mutex mutex;
  std::vector<detail::DeviceState*> devices;
};

Live& live() {
  static Live* const list = new Live;  // outlives every static destructor, on purpose
  return *list;
}

std::atomic<int> background_tasks{0};

void at_exit() {
  const Deadline deadline = Deadline::in(kExitPatience);
  std::vector<detail::Ref<detail::DeviceState>> devices;
  {
    const std::lock_guard lock(live().mutex);
    for (detail::DeviceState* device : live().devices) {
      if (!abandoned(device->epoch) && device->try_retain()) {
        devices.push_back(detail::Ref<detail::DeviceState>::adopt(device));
      }
    }
  }
  for (const auto& device : devices) device->quiesce(deadline);
  while (background_tasks.load() > 0 && !deadline.passed()) std::this_thread::yield();
  platform::begin_exit();  // from here on nothing is destroyed, these references included
}

}  // namespace

void enlist(detail::DeviceState* device) {
  // Registered after the driver was loaded, so that it runs before the driver's own handlers.
  [[maybe_unused]] static const int registered = std::atexit(at_exit);
  const std::lock_guard lock(live().mutex);
  live().devices.push_back(device);
}

void delist(detail::DeviceState* device) {
  const std::lock_guard lock(live().mutex);
  std::erase(live().devices, device);
}

void with_device(std::uint64_t serial, void (*use)(detail::DeviceState&, std::uint64_t),
                 std::uint64_t argument) {
  const std::lock_guard lock(live().mutex);
  for (detail::DeviceState* device : live().devices) {
    if (device->serial == serial && !abandoned(device->epoch)) use(*device, argument);
  }
}

Error abandoned_error(std::uint32_t epoch) {
  if (platform::forked_since(epoch)) {
    return Error(ErrorCode::device_lost, Category::runtime,
                 "This process was forked after the device was opened; the driver's threads exist in the "
                 "parent only.")
        .with_hint("Open devices after fork(), or start a new program with exec().");
  }
  return Error(ErrorCode::device_lost, Category::runtime,
               "The process is exiting; its devices take no more work.");
}

BackgroundTask::BackgroundTask() { background_tasks.fetch_add(1); }
BackgroundTask::~BackgroundTask() { background_tasks.fetch_sub(1); }

}  // namespace collet::core
