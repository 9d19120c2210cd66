// The Vulkan loader's search for drivers, followed on disk.

#include "backends/common/vulkan_files.hpp"

#include <algorithm>
#include <filesystem>

#include "backends/common/driver_files.hpp"
#include "platform/platform.hpp"

namespace collet::backend::common {
namespace {

// The folders that the loader reads where no variable names manifests, in its order.
std::vector<std::string> folders() {
  std::vector<std::string> roots;
  const auto add = [&](const char* variable, const std::string& otherwise) {
    for (std::string& path : split_paths(platform::environment(variable).value_or(otherwise)))
      roots.push_back(std::move(path));
  };
  const auto home = platform::environment("HOME");
  add("XDG_CONFIG_HOME", home ? *home + "/.config" : "");
  add("XDG_CONFIG_DIRS", "/etc/xdg");
  roots.emplace_back("/etc");
  add("XDG_DATA_HOME", home ? *home + "/.local/share" : "");
  add("XDG_DATA_DIRS", "/usr/local/share:/usr/share");
  for (std::string& root : roots) root += "/vulkan/icd.d";
  return roots;
}

// A variable's paths are manifests, or folders of them.
void add_paths(const std::string& list, std::vector<std::string>& manifests) {
  for (const std::string& path : split_paths(list)) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) {
      for (std::string& one : files_in(path, ".json")) manifests.push_back(std::move(one));
    } else {
      manifests.push_back(path);
    }
  }
}

std::vector<std::string> manifests() {
  std::vector<std::string> found;
  // VK_DRIVER_FILES is the newer name, and goes before the other.
  for (const char* variable : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) {
    if (const auto chosen = platform::environment(variable); chosen && !chosen->empty()) {
      add_paths(*chosen, found);
      return found;
    }
  }
  add_paths(platform::environment("VK_ADD_DRIVER_FILES").value_or(""), found);
  for (const std::string& folder : folders()) {
    for (std::string& one : files_in(folder, ".json")) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

std::vector<DriverFile> vulkan_files() {
  std::vector<DriverFile> files{find_loader("vulkan")};
  for (const std::string& manifest : manifests()) add_json_manifest(manifest, files);
  return files;
}

std::vector<std::string> vulkan_variables() {
  return {"VK_DRIVER_FILES",
          "VK_ICD_FILENAMES",
          "VK_ADD_DRIVER_FILES",
          "VK_LOADER_DRIVERS_SELECT",
          "VK_LOADER_DRIVERS_DISABLE",
          "VK_LOADER_LAYERS_ENABLE",
          "VK_LOADER_LAYERS_DISABLE",
          "VK_LOADER_DISABLE_INST_EXT_FILTER",
          "VK_INSTANCE_LAYERS",
          "VK_LAYER_PATH",
          "VK_ADD_LAYER_PATH",
          "VK_LOADER_DEVICE_SELECT",
          "NODEVICE_SELECT",
          "MESA_VK_DEVICE_SELECT",
          "MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE",
          "MESA_VK_VERSION_OVERRIDE",
          "MESA_LOADER_DRIVER_OVERRIDE",
          "DRI_PRIME",
          "LP_NUM_THREADS",
          "CUDA_VISIBLE_DEVICES",
          "DISPLAY",
          "WAYLAND_DISPLAY",
          "XDG_CONFIG_HOME",
          "XDG_CONFIG_DIRS",
          "XDG_DATA_HOME",
          "XDG_DATA_DIRS",
          "LD_LIBRARY_PATH",
          "LD_PRELOAD"};
}

}  // namespace collet::backend::common
