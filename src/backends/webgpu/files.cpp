// WebGPU: its library, the Vulkan drivers below it, and the variables that both read.

#include "backends/webgpu/files.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "backends/common/driver_files.hpp"
#include "backends/common/vulkan_files.hpp"
#include "platform/platform.hpp"

namespace collet::backend::webgpu {
namespace {

struct Word {
  std::string_view word;
  abi::Flags native;
  abi::BackendType backend;
};

// wgpu.h's bits.
constexpr abi::Flags kVulkan = 1, kOpenGl = 2, kMetal = 4, kDirect3d = 8;

using enum abi::BackendType;
constexpr Word kWords[] = {
    {"vulkan", kVulkan, vulkan}, {"vk", kVulkan, vulkan},     {"gl", kOpenGl, opengles},
    {"gles", kOpenGl, opengles}, {"opengl", kOpenGl, opengl}, {"metal", kMetal, metal},
    {"mtl", kMetal, metal},      {"dx12", kDirect3d, d3d12},  {"d3d12", kDirect3d, d3d12}};

Error unknown_word(std::string_view word) {
  return Error(ErrorCode::invalid_argument, Category::initialisation, Cause::no_device,
               "WGPU_BACKEND names an API that WebGPU has no way to (" + std::string(word) + ").")
      .with_hint("Name vulkan, gl, metal or dx12, or several of them with commas between.");
}

}  // namespace

Result<Choice> chosen_backend() {
  Choice choice;
  std::string list = platform::environment("WGPU_BACKEND").value_or("");
  std::ranges::transform(list, list.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (word.empty()) continue;
    const auto* const found = std::ranges::find(kWords, word, &Word::word);
    if (found == std::end(kWords)) return unknown_word(word);
    choice.native_mask |= found->native;
    if (choice.backend == undefined) choice.backend = found->backend;
  }
  if (choice.native_mask == 0) choice.native_mask = kVulkan | kMetal | kDirect3d;
  return choice;
}

std::vector<DriverFile> driver_files() {
  const DriverFile library = common::find_loader("webgpu");
  // Few machines have one, and nothing is wrong with the others.
  if (!library.problem.empty() && platform::chosen_library("webgpu").empty()) return {};
  std::vector<DriverFile> files{library};
  for (DriverFile& file : common::vulkan_files()) files.push_back(std::move(file));
  return files;
}

std::vector<std::string> driver_variables() {
  std::vector<std::string> names = common::vulkan_variables();
  names.insert(names.begin(), {"COLLET_WEBGPU", "WGPU_BACKEND"});
  names.insert(names.end(),
               {"EGL_PLATFORM", "LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER", "MESA_GL_VERSION_OVERRIDE"});
  return names;
}

}  // namespace collet::backend::webgpu
