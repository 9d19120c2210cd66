// How words find devices, and what is said of those that find none.

#include "required.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace collet::test {
namespace {

struct Driver {
  std::string_view name;
  std::string_view backend;
  std::string_view words;  // in the device's name or the driver's
};

constexpr Driver kDrivers[] = {
    {"lavapipe", "vulkan", "llvmpipe"},
    {"swiftshader", "vulkan", "SwiftShader"},
    {"pocl", "opencl", "Portable Computing Language"},
    {"intel", "opencl", "Intel(R) OpenCL"},
    {"cuda-double", "cuda", "double"},
    {"webgpu-lavapipe", "webgpu", "on Vulkan, llvmpipe"},
    {"webgpu-swiftshader", "webgpu", "on Vulkan, SwiftShader"},
    {"webgpu-gl", "webgpu", "on OpenGL"},
    {"opengl-llvmpipe", "opengl", "llvmpipe"},
    {"opengles-llvmpipe", "opengles", "llvmpipe"},
};

const Driver* find_driver(std::string_view word) {
  const auto found = std::ranges::find(kDrivers, word, &Driver::name);
  return found == std::end(kDrivers) ? nullptr : found;
}

bool is_driven_by(const DeviceInfo& device, const Driver& driver) {
  return device.backend == driver.backend && (device.name.find(driver.words) != std::string::npos ||
                                              device.driver.find(driver.words) != std::string::npos);
}

bool is_hardware(const DeviceInfo& device) {
  return !is_driven_by(device, *find_driver("cuda-double")) && device.type != DeviceType::cpu &&
         device.type != DeviceType::software && device.type != DeviceType::simulated;
}

// What there is in place of the device.
std::string explain(std::span<const DeviceInfo> devices, const std::string& word) {
  const Driver* driver = find_driver(word);
  const std::string id(driver != nullptr ? driver->backend
                                         : std::string_view(word).substr(0, word.find(':')));
  std::string text;
  for (const BackendInfo& backend : backends()) {
    if (backend.id == id)
      text =
          " " + id + " has come as far as: " + std::string(to_string(backend.rung)) + ". " + backend.message;
  }
  if (text.empty()) text = " No backend, device or driver of that name is known.";
  for (const DeviceInfo& device : devices) {
    if (device.backend == id) text += "\n  " + device.id() + " " + device.name + " (" + device.driver + ")";
  }
  return text;
}

// Why there is no native code, or "".
std::string find_llvm_missing() {
  auto device = Device::open("cpu", {.cpu_tier = CpuTier::native});
  if (!device) return device.error().describe();
  const auto kernel =
      collet::kernel("needs_llvm", [](Out<std::uint32_t> out) { out[global_id()] = global_id(); });
  const auto built = device->compile(kernel);
  if (!built) return built.error().describe();
  return built->log;  // says so where the interpreter stands in
}

}  // namespace

Option split_option(std::string_view argument) {
  const std::size_t equals = std::min(argument.find('='), argument.size());
  return {std::string(argument.substr(0, equals)),
          std::string(argument.substr(std::min(equals + 1, argument.size())))};
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    if (comma != 0) words.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

bool is_named(const DeviceInfo& device, std::string_view word) {
  if (word == "hardware") return is_hardware(device);
  if (const Driver* driver = find_driver(word)) return is_driven_by(device, *driver);
  return word == device.backend || word == device.id();
}

bool is_named(const DeviceInfo& device, std::span<const std::string> words) {
  return std::ranges::any_of(words, [&](const std::string& word) { return is_named(device, word); });
}

std::string find_missing(std::span<const DeviceInfo> devices, std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "llvm") {
      const std::string why = find_llvm_missing();
      if (!why.empty()) return "There is no native code (llvm). " + why;
    } else if (std::ranges::none_of(devices, [&](const DeviceInfo& one) { return is_named(one, word); })) {
      return "There is no device (" + word + ")." + explain(devices, word);
    }
  }
  return {};
}

std::optional<std::vector<DeviceInfo>> choose(const std::vector<DeviceInfo>& all,
                                              const std::vector<std::string>& named,
                                              const std::vector<std::string>& required) {
  for (const auto& words : {named, required}) {
    const std::string missing = find_missing(all, words);
    if (missing.empty()) continue;
    std::fprintf(stderr, "%s\n", missing.c_str());
    return std::nullopt;
  }
  std::vector<DeviceInfo> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen),
                       [&](const DeviceInfo& one) { return named.empty() || is_named(one, named); });
  return chosen;
}

}  // namespace collet::test
