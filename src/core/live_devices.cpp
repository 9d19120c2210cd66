// Open devices are listed, so that an exit can bring them to rest.

#include "core/live_devices.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/lifetime.hpp"
#include "core/device_state.hpp"
#include "platform/platform.hpp"

namespace collet::core {
namespace {

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

// The references are never given back: drivers are not touched while the process exits.
void bring_to_rest(Deadline deadline) {
  static auto* const devices = new std::vector<detail::Ref<detail::DeviceState>>;
  {
    Live& list = live();
    const std::lock_guard lock(list.mutex);
    for (detail::DeviceState* device : list.devices) {
      if (device->try_retain()) devices->push_back(detail::Ref<detail::DeviceState>::adopt(device));
    }
  }
  for (const auto& device : *devices) device->quiesce(deadline);
}

}  // namespace

void enlist(detail::DeviceState* device) {
  Live& list = live();
  const std::lock_guard lock(list.mutex);
  list.devices.push_back(device);
  base::set_exit_work(bring_to_rest);
  if (list.backends.insert(device->native->info().backend).second) base::renew_exit_handler();
  base::run_exit_handler_first();
}

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

}  // namespace collet::core
