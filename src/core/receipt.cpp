// A receipt in words.

#include "collet/receipt.hpp"

#include <fmt/format.h>

namespace collet {

std::string Receipt::describe() const {
  if (device == nullptr) return "An empty receipt: nothing is known of what ran.";
  std::string text = fmt::format("{} ({}, driver {}): {} launches, {} copies of {} bytes", device->id,
                                 device->name, device->driver, launch_count, copy_count, copied_bytes);
  if (failed_callbacks != 0) text += fmt::format("; {} callbacks threw", failed_callbacks);
  if (launch_count > launches.size()) text += fmt::format("; the last {} launches:", launches.size());
  for (const LaunchRecord& launch : launches) {
    if (launch.facts == nullptr) {
      text += "\n  a launch without facts";
      continue;
    }
    text += fmt::format("\n  {} [{:016x}] from {}, {}x{}x{} groups of {}x{}x{}", launch.facts->kernel,
                        launch.facts->hash, to_string(launch.facts->format), launch.groups[0],
                        launch.groups[1], launch.groups[2], launch.facts->group_size[0],
                        launch.facts->group_size[1], launch.facts->group_size[2]);
    if (!launch.facts->tier.empty()) text += ", " + launch.facts->tier;
    if (!launch.facts->executed) text += "; NOT EXECUTED: this device runs no kernels";
    if (!launch.facts->substitution.empty()) text += "; SUBSTITUTED: " + launch.facts->substitution;
    for (const std::string& quirk : launch.facts->quirks) text += "; avoids the driver's quirk " + quirk;
    for (const std::string& feature : launch.facts->emulated) text += "; emulates " + feature;
    for (const std::string& option : launch.facts->ignored_options)
      text += "; option not honoured: " + option;
  }
  return text;
}

}  // namespace collet
