// Kernels with known answers: a device is trusted only when it has computed them.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "collet/device.hpp"

namespace collet::discovery {

// For each canary: a kernel that never ends must not keep the probe.
inline constexpr auto kCanaryLimit = std::chrono::seconds(8);

struct Verdict {
  Rung rung = Rung::initialised;  // executed: it ran to its end; verified: and was right
  std::string refused;            // "" or why the device is not to be trusted
};

struct Canary {
  std::string_view name;
  // Runs it on the device and compares with the CPU.
  Verdict (*run)(const Device& device, Deadline deadline);
};

std::span<const Canary> canaries();

// Opens the device and runs every canary; the first that fails decides. What the backend never runs (the null
// device's kernels) earns nothing and is held against nobody.
Verdict try_canaries(std::string_view id);

// "" where both are the same, else the first difference: "element 17 is 5, the CPU says 9".
std::string difference(std::span<const std::uint32_t> got, std::span<const std::uint32_t> expected);

// What glslang made of canary_mix.comp.
std::span<const std::uint32_t> mix_spirv();

}  // namespace collet::discovery
