// The backends of this build. Its source is the one place that names them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "collet/backend.hpp"

namespace collet::discovery {

// Where a backend stands among the others when devices are equal; score.cpp reads it.
struct Standing {
  std::uint32_t rank = ~0u;      // the lowest goes first
  std::string_view oldest = {};  // the oldest version of the API that it accepts
  // Where set, devices with an older version than this go by `old_rank`.
  std::string_view modern = {};
  std::uint32_t old_rank = 0;
};

// What brings a backend further; advice.cpp reads it. Empty where there is nothing.
struct Remedy {
  std::string_view option = {};   // of CMake, that puts it into the build
  std::string_view loader = {};   // Debian's package with the library
  std::string_view driver = {};   // Debian's package with a driver that needs no GPU
  std::string_view library = {};  // what to do where Debian has no such package; a sentence
};

struct Known {
  std::string_view id;
  std::unique_ptr<backend::Backend> (*make)();  // null: not in this build
  std::string_view missing;                     // why
  Standing standing = {};
  Remedy remedy = {};
  bool listed = true;  // false: for backend authors only
  // What else `collet doctor` says of it; "" where nothing. May load libraries.
  Result<std::string> (*remark)() = nullptr;
  std::string_view library = {};  // the API whose library it opens; "" where that is `id`
};

// In the order of the documentation.
std::span<const Known> known_backends();
// Null where there is none of that name.
const Known* find_backend(std::string_view id);

// The backend itself, made when it is first asked for and never destroyed. Refused where it was made before a
// fork: its driver has no threads here.
Result<backend::Backend*> instance(const Known& known);

// What the backend finds, in this process. Loads its driver.
BackendInfo probe_here(const Known& known, std::vector<DeviceInfo>& devices);

// "cpu, vulkan, opencl": what this build has.
std::string built_ids();

// Opens "backend" (its first device) or "backend:index", without any probe.
Result<std::unique_ptr<backend::Device>> open(std::string_view id, const OpenOptions& options);

}  // namespace collet::discovery
