// Opens what a request chooses.
#pragma once

#include <functional>
#include <memory>

#include "collet/backend.hpp"
#include "collet/discovery.hpp"

namespace collet::discovery {

// Where devices come from; tests give their own.
struct Sources {
  std::function<Machine(const DiscoverOptions&)> discover;
  std::function<Result<std::unique_ptr<backend::Device>>(std::string_view id, const OpenOptions&)> open;
};

// Discovers, chooses, opens. Where the opened device is not the one that was probed (drivers have changed
// meanwhile), everything is probed again, once. Failures carry Choice::explain() in their hint.
Result<std::unique_ptr<backend::Device>> open_chosen(const Request& request, const OpenOptions& options,
                                                     const Sources& sources);

// The same with this machine's devices.
Result<std::unique_ptr<backend::Device>> open_chosen(const Request& request, const OpenOptions& options);

}  // namespace collet::discovery
