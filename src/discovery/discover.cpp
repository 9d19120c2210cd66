// What this machine has.

#include <algorithm>

#include "collet/discovery.hpp"
#include "discovery/registry.hpp"

namespace collet {

Machine discover(const DiscoverOptions& options) {
  Machine machine;
  for (const discovery::Known& known : discovery::known_backends()) {
    if (!known.listed) continue;
    if (!options.backends.empty() && std::ranges::find(options.backends, known.id) == options.backends.end())
      continue;
    machine.backends.push_back(discovery::probe_here(known, machine.devices));
  }
  return machine;
}

std::vector<BackendInfo> backends() { return discover().backends; }

std::vector<DeviceInfo> devices() { return discover().devices; }

}  // namespace collet
