// Finds the files that decide which drivers a loader loads, without loading any.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/properties.hpp"

namespace collet::backend::common {

// A list of paths as variables hold it, in order, without empty ones.
std::vector<std::string> split_paths(std::string_view list);

// The files of a folder whose names end in `ending`, sorted; empty where there is no such folder.
std::vector<std::string> files_in(const std::string& folder, std::string_view ending);

// A library by path or by plain name, as the system would find it; "" where it would not.
std::string find_library(std::string_view name);

// The loader of an API ("vulkan", "opencl"): the first that is there, or the name that is missing.
DriverFile find_loader(std::string_view api);

// A driver by path or plain name: where it lies, or that it is missing.
DriverFile find_driver(const std::string& library);

// The text of a manifest, or what is wrong with it in `problem`.
std::string read_manifest(const std::string& path, std::string& problem);

// Adds the manifest and the driver that `library` names in it. A path with a slash that is not absolute
// starts at the manifest's folder; `problem` is the manifest's own.
void add_driver(const std::string& manifest, const std::string& library, const std::string& problem,
                std::vector<DriverFile>& files);

// The same of a manifest in JSON, which names its driver under "library_path".
void add_json_manifest(const std::string& manifest, std::vector<DriverFile>& files);

// The first text that stands under `key` in a JSON document; "" where there is none.
std::string json_text(std::string_view json, std::string_view key);

}  // namespace collet::backend::common
