// Faults of drivers that Collet knows, and what it does about each.
//
//   for (const collet::DeviceQuirk& quirk : collet::quirks(device.info()))
//     std::printf("%s: %s (%s)\n", quirk.id.c_str(), quirk.what.c_str(), to_string(quirk.action).data());
//
// Threads: thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collet/export.hpp"
#include "collet/properties.hpp"

namespace collet {

// What is done about a fault of a driver.
enum class QuirkAction : std::uint8_t {
  avoided,   // kernels of the kernel language are written so that it does not show
  refused,   // a kernel that would meet it fails with an error that names the quirk
  known,     // it gives no wrong result, and nothing is done
  excluded,  // the device is never chosen
};
COLLET_API std::string_view to_string(QuirkAction action);

// A quirk that a device has.
struct DeviceQuirk {
  std::string id;  // "pocl-branch-behind-barrier"; the same in every version of Collet
  QuirkAction action = QuirkAction::avoided;
  std::string what;  // a sentence
};

// The quirks of the device's driver in its version; empty where none is known.
COLLET_API std::vector<DeviceQuirk> quirks(const DeviceInfo& device);

}  // namespace collet
