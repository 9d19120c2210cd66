// What this machine has: every backend probed side by side, or remembered.

#include <algorithm>
#include <thread>

#include "collet/discovery.hpp"
#include "discovery/advice.hpp"
#include "discovery/cache.hpp"
#include "discovery/examine.hpp"
#include "discovery/probe.hpp"
#include "discovery/registry.hpp"

namespace collet {
namespace {

using discovery::Known;
using discovery::Record;

// One backend's share of the machine.
struct Share {
  const Known* known = nullptr;
  Record record;
  std::string note;
  std::vector<DriverFile> files;
  discovery::CacheKey key;
};

Record examine_here(const Known& known) {
  const auto begin = Deadline::Clock::now();
  Record record = discovery::examine(known, {}, [](const std::string&) {});
  record.backend.probe_ms = static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Deadline::Clock::now() - begin).count());
  return record;
}

Record probe(Share& share, const std::string& helper, const DiscoverOptions& options) {
  if (helper.empty()) return examine_here(*share.known);
  auto record = discovery::probe_apart(*share.known, helper, options.limit);
  if (record) return std::move(*record);
  share.note = "The backend " + std::string(share.known->id) +
               " is probed in this process: " + record.error().message();
  return examine_here(*share.known);
}

// A backend that reads no file and only our own variables loads no driver: it is our own code.
bool loads_drivers(std::span<const DriverFile> files, std::span<const std::string> variables) {
  return !files.empty() ||
         std::ranges::any_of(variables, [](const std::string& name) { return !name.starts_with("COLLET_"); });
}

// What is known without a driver: our own code's answer, or an earlier probe's. False where a probe is
// needed.
bool recall(Share& share, const discovery::Helper& helper, const DiscoverOptions& options) {
  if (share.known->make == nullptr) {
    share.record = examine_here(*share.known);
    return true;
  }
  // Not the registry's own: that one would be refused after a fork, though nothing was loaded.
  const auto backend = share.known->make();
  share.files = backend->files();
  const std::vector<std::string> variables = backend->variables();
  if (!loads_drivers(share.files, variables)) {
    share.record = examine_here(*share.known);
    return true;
  }
  share.note = helper.note;
  if (!options.cached) return false;
  share.key = discovery::cache_key(share.known->id, share.files, variables, helper.path);
  auto known = discovery::recall(share.key);
  if (!known) return false;
  share.record = std::move(*known);
  share.record.backend.cached = true;
  return true;
}

void fill(Share& share, const std::string& helper, const DiscoverOptions& options) {
  share.record = probe(share, helper, options);
  discovery::remember(share.key, share.record);
}

bool is_asked_for(const Known& known, const DiscoverOptions& options) {
  if (!known.listed) return false;
  return options.backends.empty() || std::ranges::find(options.backends, known.id) != options.backends.end();
}

}  // namespace

Machine discover(const DiscoverOptions& options) {
  discovery::Helper helper;
  if (options.isolated) helper = discovery::find_helper();
  std::vector<Share> shares;
  for (const Known& known : discovery::known_backends()) {
    if (is_asked_for(known, options))
      shares.push_back({.known = &known, .record = {}, .note = {}, .files = {}, .key = {}});
  }
  std::vector<std::thread> threads;
  for (Share& share : shares) {
    if (recall(share, helper, options)) continue;
    if (helper.path.empty()) {  // in this process drivers are loaded one at a time
      fill(share, helper.path, options);
    } else {
      threads.emplace_back([&share, &helper, &options] { fill(share, helper.path, options); });
    }
  }
  for (std::thread& thread : threads) thread.join();

  Machine machine;
  for (Share& share : shares) {
    share.record.backend.files = std::move(share.files);
    discovery::advise(*share.known, share.record.backend);
    machine.backends.push_back(std::move(share.record.backend));
    for (DeviceInfo& device : share.record.devices) machine.devices.push_back(std::move(device));
    const bool said = std::ranges::find(machine.notes, share.note) != machine.notes.end();
    if (!share.note.empty() && !said) machine.notes.push_back(std::move(share.note));
  }
  return machine;
}

std::vector<BackendInfo> backends() { return discover().backends; }

std::vector<DeviceInfo> devices() { return discover().devices; }

}  // namespace collet
