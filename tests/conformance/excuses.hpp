// Behaviours that a fault of the driver excuses: those that the table of quirks names as reproducers.
#pragma once

#include <string>
#include <vector>

#include "conformance/registry.hpp"
#include "drivers/quirks.hpp"

namespace conformance {

// The quirk of this device that the behaviour shows; null where there is none. The behaviour runs, and must
// fail while the driver has the quirk.
const collet::drivers::Quirk* find_excuse(const Behaviour& behaviour, const collet::DeviceInfo& device);

// Quirks whose reproducer is a behaviour that does not exist, as sentences.
std::vector<std::string> stale_excuses();

}  // namespace conformance
