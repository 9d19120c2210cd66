// Kernels and copies with known answers: a device is trusted only when all of them came out right.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "collet/backend.hpp"
#include "collet/device.hpp"

namespace collet::discovery {

// For each trial: a kernel that never ends must not keep the probe.
inline constexpr auto kCanaryLimit = std::chrono::seconds(8);

struct Verdict {
  Rung rung = Rung::initialised;  // executed: all ran to their end; verified: and were right
  std::string refused;  // "" or why the device is not to be trusted, with the canary's name and the figures
};

// What is known to be right once the trials have passed. A trial tells which of its canaries is wrong.
std::span<const std::string_view> canary_names();

// One launch or a few copies, which serve several canaries: drivers take most of their time for each program.
struct Trial {
  std::string_view canaries;  // for the trial's log line
  // Runs on the device and compares with what C++ computes.
  Verdict (*run)(const Device& device, Deadline deadline);
};
std::span<const Trial> trials();

// Opens the device and runs every trial; the first that fails decides. What the backend never runs (the null
// device's kernels) earns nothing and is held against nobody.
Verdict try_canaries(std::string_view id);
// The same on a device that is open.
Verdict try_canaries(std::unique_ptr<backend::Device> native);

// "" where both are the same, else the first difference: "element 17 is 5, the CPU says 9".
std::string difference(std::span<const std::uint32_t> got, std::span<const std::uint32_t> expected);

}  // namespace collet::discovery
