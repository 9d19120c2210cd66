// Opens what a request chooses.
#pragma once

#include <functional>
#include <memory>

#include "collet/backend.hpp"
#include "collet/discovery.hpp"
#include "discovery/selector.hpp"

namespace collet::discovery {

using Opened = Result<std::unique_ptr<backend::Device>>;

// Where devices come from; tests give their own.
struct Sources {
  std::function<Machine(const DiscoverOptions&)> discover;
  std::function<Opened(std::string_view id, const OpenOptions&)> open;
};

// Those of this machine.
const Sources& this_machine();

// Discovers, chooses, opens. Where the chosen device can't be opened, it is left out with a warning and the
// next one chosen; strict mode returns the error, and so does a call that is wrong in itself. Where the
// opened device is not the one that was probed (drivers have changed meanwhile), everything is probed again,
// once. Failures carry Choice::explain() in their hint.
Opened open_chosen(const Request& request, const OpenOptions& options, const Sources& sources);

// Opens the device of a selector that names a backend, and perhaps an index, without a probe. Strict mode
// probes that backend first and refuses what discovery refuses.
Opened open_named(const Selector& selector, const OpenOptions& options, const Sources& sources);

}  // namespace collet::discovery
