// Fork and exit: live devices are listed, and the exit handler brings them to rest.

#include "core/lifetime.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/device_state.hpp"
#include "platform/platform.hpp"

namespace collet::core {
namespace {

constexpr auto kExitPatience = std::chrono::seconds(2);

struct Live {
  Live(std::uint32_t of, const Live* old) : epoch(of), before(old) {}
  const std::uint32_t epoch;
  const Live* const before;  // kept for whoever looks for memory that nobody reaches
  std::mutex mutex;
  std::vector<detail::DeviceState*> devices;
  std::set<std::string> backends;
};

// The list of this epoch. After a fork the child starts a new one: another thread of the parent may have held
// the lock of the old one, whose devices are abandoned anyway. Never freed: it outlives every static
// destructor.
Live& live() {
  static std::atomic<Live*> current{nullptr};
  const std::uint32_t epoch = platform::epoch.load();
  Live* list = current.load();
  while (list == nullptr || list->epoch != epoch) {
    auto* fresh = new Live(epoch, list);
    if (current.compare_exchange_strong(list, fresh)) return *fresh;
    delete fresh;
  }
  return *list;
}

std::atomic<int> background_tasks{0};

void at_exit() {
  static std::atomic<bool> done{false};
  if (done.exchange(true)) return;
  const Deadline deadline = Deadline::in(kExitPatience);
  std::vector<detail::Ref<detail::DeviceState>> devices;
  {
    const std::lock_guard lock(live().mutex);
    for (detail::DeviceState* device : live().devices) {
      if (device->try_retain()) devices.push_back(detail::Ref<detail::DeviceState>::adopt(device));
    }
  }
  for (const auto& device : devices) device->quiesce(deadline);
  while (background_tasks.load() > 0 && !deadline.passed()) std::this_thread::yield();
  platform::begin_exit();  // from here on nothing is destroyed, these references included
}

Error exiting_error() {
  return Error(ErrorCode::device_lost, Category::runtime,
               "The process is exiting; its devices take no more work.");
}

constexpr auto kLibraryPatience = std::chrono::seconds(30);  // compilers can't be stopped
std::atomic<int> libraries_used{0};
std::atomic<bool> leaving{false};

// A library that another thread has just loaded, or uses for the first time, registered handlers after ours;
// they would run first, under that thread's feet.
void await_libraries() {
  leaving.store(true);
  const Deadline deadline = Deadline::in(kLibraryPatience);
  while (libraries_used.load() > 0 && !deadline.passed()) std::this_thread::yield();
}

// exit() destroys the thread-local objects of its thread before it runs any handler, also those that a driver
// registered after ours: PoCL's compiler does so on a worker thread, when a kernel first runs.
struct BeforeHandlers {
  BeforeHandlers() = default;
  BeforeHandlers(const BeforeHandlers&) = delete;
  BeforeHandlers& operator=(const BeforeHandlers&) = delete;
  ~BeforeHandlers() {
    await_libraries();
    if (opened) at_exit();
  }
  bool opened = false;  // a device, on this thread
};

BeforeHandlers& before_handlers() {
  static thread_local BeforeHandlers before;
  return before;
}

// Static constructors run on the main thread, which may leave everything else to others.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): it does not throw
[[maybe_unused]] const bool prepared = platform::on_main_thread() && (before_handlers(), true);

}  // namespace

HoldExit::HoldExit() {
  libraries_used.fetch_add(1);
  allowed_ = !leaving.load();
}
HoldExit::~HoldExit() { libraries_used.fetch_sub(1); }

Result<void> HoldExit::allowed() const {
  if (allowed_) return {};
  return exiting_error();
}

void enlist(detail::DeviceState* device) {
  Live& list = live();
  const std::lock_guard lock(list.mutex);
  list.devices.push_back(device);
  if (list.backends.insert(device->native->info().backend).second) renew_exit_handler();
  if (platform::on_main_thread()) before_handlers().opened = true;
}

void renew_exit_handler() { std::atexit(at_exit); }

void delist(detail::DeviceState* device) {
  Live& list = live();
  const std::lock_guard lock(list.mutex);
  std::erase(list.devices, device);
}

void with_device(std::uint64_t serial, void (*use)(detail::DeviceState&, std::uint64_t),
                 std::uint64_t argument) {
  detail::Ref<detail::DeviceState> found;
  {
    Live& list = live();
    const std::lock_guard lock(list.mutex);
    for (detail::DeviceState* device : list.devices) {
      if (device->serial == serial && device->try_retain())
        found = detail::Ref<detail::DeviceState>::adopt(device);
    }
  }
  if (found && !found->is_abandoned()) use(*found, argument);
}

Error abandoned_error(std::uint32_t epoch) {
  if (platform::forked_since(epoch)) {
    return Error(ErrorCode::device_lost, Category::runtime,
                 "This process was forked after the device was opened; the driver's threads exist in the "
                 "parent only.")
        .with_hint("Open devices after fork(), or start a new program with exec().");
  }
  return exiting_error();
}

BackgroundTask::BackgroundTask() { background_tasks.fetch_add(1); }
BackgroundTask::~BackgroundTask() { background_tasks.fetch_sub(1); }

}  // namespace collet::core
