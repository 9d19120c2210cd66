// Opens what a request chooses, and makes sure that it is what was probed.

#include "discovery/opening.hpp"

#include "base/log.hpp"
#include "discovery/registry.hpp"
#include "discovery/sentence.hpp"

namespace collet::discovery {
namespace {

bool same_device(const DeviceInfo& probed, const DeviceInfo& opened) {
  return probed.name == opened.name && probed.uuid == opened.uuid;
}

void refuse(Machine& machine, const DeviceInfo& which, const std::string& why) {
  for (DeviceInfo& device : machine.devices) {
    if (device.backend == which.backend && device.index == which.index) device.refused = why;
  }
}

Error explained(const Error& error, const Choice& choice) {
  return error.with_hint(error.hint() + (error.hint().empty() ? "" : "\n") + choice.explain());
}

}  // namespace

Opened open_chosen(const Request& request, const OpenOptions& options, const Sources& sources) {
  DiscoverOptions how;
  if (const auto selector = parse_selector(request.selector); selector && !selector->backend.empty())
    how.backends = {selector->backend};  // a driver that is not asked for is not touched
  Machine machine = sources.discover(how);
  std::optional<Error> first;  // of the best device, which can't be opened
  std::string left_out;
  for (;;) {
    const Choice choice = choose(machine, request);
    base::log(LogLevel::info, "discovery", choice.summary());
    if (choice.error) return explained(first.value_or(*choice.error), choice);
    const DeviceInfo& probed = choice.candidates[*choice.selected].device;
    if (!left_out.empty())
      base::log(LogLevel::warn, "discovery", left_out + " " + probed.id() + " is opened in its place.");
    auto opened = sources.open(probed.id(), options);
    if (!opened) {
      const Error error = opened.error().during("opening \"" + probed.id() + "\"");
      if (request.strict || error.code() == ErrorCode::invalid_argument) return explained(error, choice);
      if (!first) first = error;
      left_out = probed.id() + " can't be opened: " + sentence(error.message());
      refuse(machine, probed, "it can't be opened: " + error.message());
      continue;
    }
    const DeviceInfo& found = (*opened)->info();
    if (same_device(probed, found)) return opened;
    const std::string differs =
        probed.id() + " was probed as \"" + probed.name + "\" and opened as \"" + found.name + "\".";
    if (!how.cached) {
      return explained(Error(ErrorCode::internal, Category::device, Cause::device_open_failed,
                             differs + " It was probed twice."),
                       choice);
    }
    base::log(LogLevel::warn, "discovery", differs + " It is probed again.");
    how.cached = false;
    machine = sources.discover(how);
    left_out.clear();
  }
}

Opened open_named(const Selector& selector, const OpenOptions& options, const Sources& sources) {
  const std::string id = selector.backend + ":" + std::to_string(selector.index.value_or(0));
  const Known* known = find_backend(selector.backend);
  const bool probed = known != nullptr && known->listed;
  if (!options.strict || !probed) return sources.open(id, options);
  return open_chosen({.selector = id, .strict = true, .simulated = false}, options, sources);
}

const Sources& this_machine() {
  static const Sources sources{.discover = collet::discover, .open = open};
  return sources;
}

}  // namespace collet::discovery
