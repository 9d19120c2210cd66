// The devices that the options --devices and --require of the test programs name.
//
// A word is a backend ("vulkan": every device of it), a device ("vulkan:1"), or a driver: "lavapipe",
// "swiftshader", "pocl", "intel". --require also takes "llvm": the cpu backend makes native code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/collet.hpp"

namespace collet::test {

// The words between commas.
std::vector<std::string> split_words(std::string_view text);

bool is_named(const DeviceInfo& device, std::string_view word);
bool is_named(const DeviceInfo& device, std::span<const std::string> words);

// A sentence about the first word that names nothing among `devices`, or "".
std::string find_missing(std::span<const DeviceInfo> devices, std::span<const std::string> words);

}  // namespace collet::test
