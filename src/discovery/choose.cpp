// The choice: who may be chosen, who is, and why.

#include <algorithm>
#include <utility>

#include "collet/discovery.hpp"
#include "discovery/score.hpp"
#include "discovery/selector.hpp"
#include "discovery/sentence.hpp"

namespace collet {
namespace {

using discovery::Selector;

// Whether devices[at] is one that the selector speaks of. Indices count refused devices too.
bool matches(const Selector& selector, const std::vector<DeviceInfo>& devices, std::size_t at) {
  const auto fits = [&](const DeviceInfo& device) {
    return (selector.backend.empty() || device.backend == selector.backend) &&
           (selector.type.empty() || discovery::is_of_type(device.type, selector.type));
  };
  if (!fits(devices[at])) return false;
  if (!selector.index) return true;
  if (!selector.backend.empty() && selector.type.empty()) return devices[at].index == *selector.index;
  const auto before = std::count_if(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(at), fits);
  return static_cast<std::uint64_t>(before) == *selector.index;
}

const BackendInfo* backend_of(const Machine& machine, std::string_view id) {
  const auto found = std::ranges::find(machine.backends, id, &BackendInfo::id);
  return found != machine.backends.end() ? &*found : nullptr;
}

// Why a device that was asked for may not be chosen, or "".
std::string refusal(const Machine& machine, const Request& request, const Selector& selector,
                    const DeviceInfo& device) {
  if (!device.refused.empty()) return device.refused;
  const bool verified = device.rung >= Rung::verified;
  if (const BackendInfo* info = backend_of(machine, device.backend);
      info != nullptr && !info->fault.empty() && !verified) {
    return "the probe of " + device.backend + " " + info->fault;
  }
  if (device.type == DeviceType::simulated) {
    if (request.strict) return "it is simulated, and strict mode takes nothing simulated";
    if (!request.simulated) return "it is simulated, and COLLET_FAKE does not ask for it";
  }
  if (request.strict && !verified && selector.backend.empty() && !selector.exact())
    return "it is only " + std::string(to_string(device.rung)) + ", and strict mode chooses what is verified";
  return {};
}

// Leaves the best route to each piece of hardware and moves the others out.
std::vector<Candidate> split_routes(std::vector<Candidate>& usable) {
  std::ranges::sort(usable, [](const Candidate& a, const Candidate& b) {
    return discovery::better_route(a.device, b.device);
  });
  std::vector<std::vector<Candidate>> groups;  // the best of each first
  for (Candidate& one : usable) {
    const auto group = std::ranges::find_if(groups, [&](const std::vector<Candidate>& known) {
      return std::ranges::any_of(
          known, [&](const Candidate& other) { return discovery::same_hardware(other.device, one.device); });
    });
    if (group == groups.end()) {
      groups.emplace_back().push_back(std::move(one));
    } else {
      one.same_as = group->front().device.id();
      group->push_back(std::move(one));
    }
  }
  usable.clear();
  std::vector<Candidate> others;
  for (std::vector<Candidate>& group : groups) {
    usable.push_back(std::move(group.front()));
    std::move(group.begin() + 1, group.end(), std::back_inserter(others));
  }
  return others;
}

std::string ids_of(const std::vector<DeviceInfo>& devices) {
  std::string list;
  for (const DeviceInfo& device : devices) list += (list.empty() ? "" : ", ") + device.id();
  return list;
}

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string no_match(const Machine& machine, const Selector& selector) {
  if (selector.backend.empty() && selector.index) {
    return "There is no device " + std::to_string(*selector.index) + ": this machine has " +
           counted(machine.devices.size(), "device") + ", and they count from 0.";
  }
  if (selector.backend.empty()) return "This machine has no GPU that Collet can reach.";
  const auto count =
      static_cast<std::size_t>(std::ranges::count(machine.devices, selector.backend, &DeviceInfo::backend));
  if (count != 0) {
    return "There is no " + selector.text() + ": the backend " + selector.backend + " has " +
           counted(count, "device") + (selector.type.empty() ? ", and they count from 0." : ".");
  }
  const BackendInfo* info = backend_of(machine, selector.backend);
  if (info == nullptr) return "The backend " + selector.backend + " was not probed.";
  const std::string& why = info->fault.empty() ? info->message : info->fault;
  return "The backend " + selector.backend + " has no device" +
         (why.empty() ? "." : ": " + discovery::sentence(why));
}

// Nothing is selected: `matching` are those that the selector speaks of, all refused.
Error nothing(const Machine& machine, const Selector& selector, const std::vector<Candidate>& matching) {
  std::string message;
  if (machine.devices.empty() && selector.any()) {
    message = "This machine has no device that Collet can reach.";
  } else if (matching.empty()) {
    message = no_match(machine, selector);
  } else if (matching.size() == 1) {
    message = matching[0].device.id() + " can't be used: " + discovery::sentence(matching[0].refused);
  } else {
    message = "None of the " + std::to_string(matching.size()) + " devices that were asked for (" +
              selector.text() + ") can be used.";
  }
  std::vector<DeviceInfo> others;
  for (const DeviceInfo& device : machine.devices) {
    if (device.refused.empty()) others.push_back(device);
  }
  return Error(ErrorCode::unavailable, Category::device, Cause::no_device, std::move(message))
      .with_hint(others.empty() ? "`collet doctor` says what this machine lacks."
                                : "These can be used: " + ids_of(others) + ".");
}

std::string reason_for(const Selector& selector, const std::vector<Candidate>& usable,
                       const std::vector<Candidate>& routes) {
  const DeviceInfo& chosen = usable[0].device;
  std::string reason;
  if (selector.exact()) {
    reason = "it was asked for";
  } else if (usable.size() == 1) {
    reason = selector.any() ? "the only usable device" : "the only usable device that was asked for";
  } else {
    reason = discovery::why_before(chosen, usable[1].device);
  }
  std::string same;
  for (const Candidate& route : routes) {
    if (route.same_as == chosen.id()) same += (same.empty() ? "" : ", ") + route.device.id();
  }
  if (!same.empty()) reason += "; the same hardware as " + same;
  if (selector.any() && (chosen.type == DeviceType::cpu || chosen.type == DeviceType::software))
    reason += "; no GPU can be used";
  if (chosen.type == DeviceType::simulated) reason += "; simulated, as COLLET_FAKE asks";
  if (chosen.rung < Rung::verified) reason += "; not verified";
  return reason;
}

}  // namespace

Choice choose(const Machine& machine, const Request& request) {
  Choice choice;
  choice.requested = request.selector;
  const auto parsed = discovery::parse_selector(request.selector);
  if (!parsed) choice.error = parsed.error();
  const Selector selector = parsed ? *parsed : Selector{};

  std::vector<Candidate> usable;
  std::vector<Candidate> refused;
  std::vector<Candidate> unasked;
  for (std::size_t i = 0; i < machine.devices.size(); ++i) {
    const DeviceInfo& device = machine.devices[i];
    Candidate one{.device = device,
                  .score = discovery::type_points(device.type),
                  .parts = discovery::score_parts(device),
                  .refused = {},
                  .same_as = {}};
    if (!matches(selector, machine.devices, i)) {
      one.refused = "it was not asked for";
      unasked.push_back(std::move(one));
      continue;
    }
    one.refused = refusal(machine, request, selector, device);
    (one.refused.empty() ? usable : refused).push_back(std::move(one));
  }

  std::vector<Candidate> routes = split_routes(usable);
  discovery::rank(usable);
  if (!choice.error && usable.empty()) choice.error = nothing(machine, selector, refused);
  if (choice.error) {
    choice.reason = choice.error->message();
  } else {
    choice.selected = 0;
    choice.reason = reason_for(selector, usable, routes);
  }
  for (std::vector<Candidate>* part : {&usable, &routes, &refused, &unasked})
    std::ranges::move(*part, std::back_inserter(choice.candidates));
  return choice;
}

}  // namespace collet
