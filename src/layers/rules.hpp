// What the waist promises a backend about each command.
#pragma once

#include "collet/backend.hpp"

namespace collet::layers {

// An error with the figures where a command breaks one of its rules on a device with these limits. Backends
// trust that none does; tests and simulated devices check it.
Result<void> check_rules(const backend::Command& command, const backend::Caps& caps);

}  // namespace collet::layers
