// The devices that the options --devices and --require of the test programs name.
//
// A word is a backend ("vulkan": every device of it), a device ("vulkan:1"), or a driver: "lavapipe",
// "swiftshader", "pocl", "intel", and below WebGPU "webgpu-lavapipe", "webgpu-swiftshader" and "webgpu-gl".
// "hardware" names every device that is neither the CPU nor a program that stands for a GPU. --require also
// takes "llvm": the cpu backend makes native code.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/collet.hpp"

namespace collet::test {

// "--name=value"; the value is empty where there is none.
struct Option {
  std::string name, value;
};
Option split_option(std::string_view argument);

// The words between commas.
std::vector<std::string> split_words(std::string_view text);

bool is_named(const DeviceInfo& device, std::string_view word);
bool is_named(const DeviceInfo& device, std::span<const std::string> words);

// A sentence about the first word that names nothing among `devices`, or "".
std::string find_missing(std::span<const DeviceInfo> devices, std::span<const std::string> words);

// Those of `all` that `named` names, or all where it is empty. Nothing, after a sentence on stderr, where a
// word of either list names none.
std::optional<std::vector<DeviceInfo>> choose(const std::vector<DeviceInfo>& all,
                                              const std::vector<std::string>& named,
                                              const std::vector<std::string>& required);

}  // namespace collet::test
