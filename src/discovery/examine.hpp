// The probe itself, in the process that it is called in.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "discovery/record.hpp"
#include "discovery/registry.hpp"

namespace collet::discovery {

// Loads the backend's driver, lists its devices and runs the canaries on each but those in `skip`. Before
// each step that enters a driver, and after it, `tell` gets the lines of the record. May crash or hang, as
// the driver does.
Record examine(const Known& known, std::span<const std::uint32_t> skip,
               const std::function<void(const std::string& lines)>& tell);

// The backend's rung is that of its best device, and it counts them.
void settle(Record& record);

}  // namespace collet::discovery
