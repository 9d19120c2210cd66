// What a selector says: "auto", "gpu", "vulkan", "vulkan:1", "opencl:cpu", "opencl:cpu:1" or a plain index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collet/properties.hpp"
#include "collet/result.hpp"

namespace collet::discovery {

struct Selector {
  std::string backend;                 // "" means any
  std::string type;                    // a word of is_of_type(), "" means any
  std::optional<std::uint32_t> index;  // among the devices of that backend and type; of all without a backend

  bool any() const { return backend.empty() && type.empty() && !index; }
  // It names one device and no other.
  bool exact() const { return index.has_value(); }
  // As it is written.
  std::string text() const;
};

Result<Selector> parse_selector(std::string_view text);

// For COLLET_BACKEND: the id of a backend, "auto" or "gpu".
Result<Selector> parse_backend(std::string_view text);

// What COLLET_BACKEND and COLLET_DEVICE say together; each may be empty. Beside a backend the device may be
// an index, a type or type:index of it. An error where they contradict each other.
Result<Selector> combine(std::string_view backend, std::string_view device);

// "cpu" is the CPU by whatever API: cpu or software; "gpu" is everything else. The other words are the names
// of the types.
bool is_of_type(DeviceType type, std::string_view word);

}  // namespace collet::discovery
