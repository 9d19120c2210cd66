// What this machine has: every backend probed side by side, or remembered.

#include <algorithm>

#include "collet/discovery.hpp"
#include "discovery/advice.hpp"
#include "discovery/cache.hpp"
#include "discovery/examine.hpp"
#include "discovery/notice.hpp"
#include "discovery/probe.hpp"
#include "discovery/registry.hpp"
#include "platform/thread.hpp"

namespace collet {
namespace {

using discovery::Known;
using discovery::Record;

// One backend's share of the machine.
struct Share {
  const Known* known = nullptr;
  bool found = false;  // the record is there
  Record record;
  std::string note;
  std::vector<DriverFile> files;
  discovery::CacheKey key;
};

Record examine_here(const Known& known, std::span<const std::uint32_t> skip = {}) {
  const auto begin = Deadline::Clock::now();
  Record record = discovery::examine(known, skip, [](const std::string&) {});
  record.backend.probe_ms = static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Deadline::Clock::now() - begin).count());
  return record;
}

// Finds nothing where the helper was of no use, and the note says why.
void probe_apart(Share& share, const std::string& helper, const DiscoverOptions& options) {
  auto record = discovery::probe_apart(*share.known, helper, options.limit);
  if (record) {
    share.record = std::move(*record);
    share.found = true;
    discovery::remember(share.key, share.record);
    return;
  }
  const Error& error = record.error();
  if (error.code() == ErrorCode::out_of_memory) {
    // No process could be started, so that a driver would get no threads or files either, and most die of
    // that.
    share.record.backend.id = share.known->id;
    share.record.backend.rung = Rung::compiled_in;
    share.record.backend.message = "It was not probed: " + error.message();
    share.record.backend.fix = error.hint();
    share.note = "The backend " + std::string(share.known->id) + " was not probed: " + error.message();
    share.found = true;
    return;
  }
  share.note =
      "The backend " + std::string(share.known->id) + " is probed in this process: " + error.message();
  if (!error.hint().empty()) share.note += " " + error.hint();
  share.key = {};  // what is remembered has no note, and this must be said again
}

void probe_here(Share& share) {
  share.record = examine_here(*share.known);
  discovery::remember(share.key, share.record);
}

// A backend that reads no file and only our own variables loads no driver: it is our own code.
bool loads_drivers(std::span<const DriverFile> files, std::span<const std::string> variables) {
  return !files.empty() ||
         std::ranges::any_of(variables, [](const std::string& name) { return !name.starts_with("COLLET_"); });
}

// What an earlier probe found of the same devices. False where they are others.
bool take_over(const Record& earlier, Record& record) {
  if (!std::ranges::equal(earlier.devices, record.devices, {}, &DeviceInfo::name, &DeviceInfo::name))
    return false;
  for (std::size_t i = 0; i < record.devices.size(); ++i) {
    record.devices[i].rung = earlier.devices[i].rung;
    record.devices[i].refused = earlier.devices[i].refused;
  }
  record.backend.cached = true;
  discovery::settle(record);
  return true;
}

// Our own code. Its devices are listed anew, since memory and processors are what this process may use; a
// canary's verdict on this library and this processor is remembered.
Record examine_own(const Known& known) {
  const discovery::CacheKey key = discovery::cache_key(known.id, {}, {}, {});
  if (const auto earlier = discovery::recall(key)) {
    std::vector<std::uint32_t> judged;
    for (const DeviceInfo& device : earlier->devices) judged.push_back(device.index);
    Record record = examine_here(known, judged);
    if (take_over(*earlier, record)) return record;
  }
  Record record = examine_here(known);
  discovery::remember(key, record);
  return record;
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
    const bool remembered = options.cached && variables.empty();  // simulated devices change with theirs
    share.record = remembered ? examine_own(*share.known) : examine_here(*share.known);
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

// The helpers run side by side, or in a row where the system gives no threads; in this process drivers are
// loaded one at a time.
void probe(std::vector<Share>& shares, const std::string& helper, const DiscoverOptions& options) {
  std::vector<platform::Thread> threads;
  for (Share& share : shares) {
    if (share.found || helper.empty()) continue;
    auto thread = platform::start_thread(
        "collet-probing", [&share, &helper, &options] { probe_apart(share, helper, options); });
    if (thread) {
      threads.push_back(*std::move(thread));
    } else {
      probe_apart(share, helper, options);
    }
  }
  for (platform::Thread& thread : threads) thread.join();
  for (Share& share : shares) {
    if (!share.found) probe_here(share);
  }
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
      shares.push_back({.known = &known, .found = false, .record = {}, .note = {}, .files = {}, .key = {}});
  }
  for (Share& share : shares) share.found = recall(share, helper, options);
  probe(shares, helper.path, options);

  Machine machine;
  for (Share& share : shares) {
    share.record.backend.files = std::move(share.files);
    discovery::advise(*share.known, share.record.backend);
    machine.backends.push_back(std::move(share.record.backend));
    for (DeviceInfo& device : share.record.devices) machine.devices.push_back(std::move(device));
    const bool said = std::ranges::find(machine.notes, share.note) != machine.notes.end();
    if (share.note.empty() || said) continue;
    const bool wanted = helper.switched_off && share.note == helper.note;
    discovery::say_once(wanted ? LogLevel::info : LogLevel::warn, share.note);
    machine.notes.push_back(std::move(share.note));
  }
  return machine;
}

std::vector<BackendInfo> backends() { return discover().backends; }

std::vector<DeviceInfo> devices() { return discover().devices; }

}  // namespace collet
