// The lists behind registry.hpp, and the devices that were opened.

#include "conformance/registry.hpp"

#include <map>
#include <optional>

namespace conformance {
namespace {

struct State {
  std::vector<Behaviour> behaviours;
  std::map<std::string, std::vector<Exclusion>, std::less<>> backends;
  std::vector<collet::DeviceInfo> devices;
  std::map<std::string, Open> ways;
  Open open = [](const collet::DeviceInfo& info) { return collet::Device::open(info.id()); };
  std::map<std::string, collet::Device> opened;
};

// Leaked on purpose: filled before main() by files in any order.
State& state() {
  static State& instance = *new State;
  return instance;
}

}  // namespace

bool add_behaviour(const Behaviour& behaviour) {
  state().behaviours.push_back(behaviour);
  return true;
}

bool add_backend(std::string id, std::vector<Exclusion> exclusions) {
  state().backends.emplace(std::move(id), std::move(exclusions));
  return true;
}

bool add_way(std::string name, Open open) {
  state().ways.emplace(std::move(name), open);
  return true;
}

const std::vector<Behaviour>& behaviours() { return state().behaviours; }

bool knows_backend(std::string_view id) { return state().backends.contains(id); }

const Exclusion* find_exclusion(const Behaviour& behaviour, const collet::DeviceInfo& device) {
  const auto backend = state().backends.find(device.backend);
  if (backend == state().backends.end()) return nullptr;
  for (const Exclusion& exclusion : backend->second) {
    if (matches(exclusion.behaviour, behaviour.full_name()) && matches(exclusion.device, device.name)) {
      return &exclusion;
    }
  }
  return nullptr;
}

std::vector<std::string> stale_exclusions() {
  std::vector<std::string> stale;
  for (const auto& [id, exclusions] : state().backends) {
    for (const Exclusion& exclusion : exclusions) {
      bool used = false;
      for (const Behaviour& behaviour : behaviours()) {
        used = used || matches(exclusion.behaviour, behaviour.full_name());
      }
      if (!used) stale.push_back(id + " excludes (" + exclusion.behaviour + ")");
    }
  }
  return stale;
}

bool matches(std::string_view pattern, std::string_view text) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  for (std::size_t skipped = star; skipped <= text.size(); ++skipped) {
    if (matches(pattern.substr(star + 1), text.substr(skipped))) return true;
  }
  return false;
}

void set_devices(std::vector<collet::DeviceInfo> devices) { state().devices = std::move(devices); }

const std::vector<collet::DeviceInfo>& devices() { return state().devices; }

bool open_devices_through(const std::string& way) {
  const auto found = state().ways.find(way);
  if (found == state().ways.end()) return false;
  state().open = found->second;
  return true;
}

collet::Result<collet::Device> opened(const collet::DeviceInfo& info) {
  const auto known = state().opened.find(info.id());
  if (known != state().opened.end()) return known->second;
  auto device = state().open(info);
  if (device) state().opened.emplace(info.id(), *device);
  return device;
}

collet::Device peer_of(const collet::Device& device) {
  const std::string id = device.info().id();
  std::optional<std::size_t> here;
  for (std::size_t i = 0; i < devices().size(); ++i) {
    if (devices()[i].id() == id) here = i;
  }
  if (here && devices().size() > 1) return opened(devices()[(*here + 1) % devices().size()]).value();
  return collet::Device::open(id).value();
}

void close_devices() { state().opened.clear(); }

}  // namespace conformance
