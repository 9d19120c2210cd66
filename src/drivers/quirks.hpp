// Faults of drivers that are known, as data.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/properties.hpp"
#include "collet/quirks.hpp"
#include "kernel/emit/workarounds.hpp"

namespace collet::drivers {

struct Quirk {
  std::string_view id;  // stable; receipts, doctor and status name it
  std::string_view backend;
  std::array<std::string_view, 3> also = {};  // other backends through which the driver shows it, too
  std::string_view device = {};               // a part of DeviceInfo::name
  std::string_view driver;                    // a part of DeviceInfo::driver, before its version: "Mesa"
  std::string_view first;                     // version that has it; "" means all from the beginning
  std::string_view fixed;                     // first version without it; "" means none yet
  std::string_view what;                      // a sentence
  QuirkAction action = QuirkAction::excluded;
  // What shows it, and fails where the driver has it no longer: "conformance SUITE.NAME", a behaviour of
  // source kernels that the quirk excuses, or "fuzz FILE", a kernel that is run without the workaround.
  std::string_view reproducer;
  // False where the reproducer showed it once, and does not with what is emitted today.
  bool shows = true;
  // What emission does about it. Those that are avoided have one.
  emit::Workaround workaround = emit::Workaround::none;
  // Loop iterations, of all loops of a kernel together, after which it silently exits. 0: unlimited.
  std::uint32_t loop_rounds = 0;
};

std::span<const Quirk> known_quirks();

// Those of `quirks` that this device has.
std::vector<const Quirk*> quirks_of(const DeviceInfo& device, std::span<const Quirk> quirks = known_quirks());

// Refuses the device where a quirk says so and nothing else does yet.
void apply_quirks(DeviceInfo& device, std::span<const Quirk> quirks = known_quirks());

// Negative, zero or positive, number by number: "22.3.6" is before "22.10". What is missing counts as 0.
int compare_versions(std::string_view a, std::string_view b);

}  // namespace collet::drivers
