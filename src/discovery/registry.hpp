// The backends of this build, and how a device is found by its id.
#pragma once

#include <memory>
#include <string_view>

#include "collet/backend.hpp"

namespace collet::discovery {

// Opens "backend" (its first device) or "backend:index".
Result<std::unique_ptr<backend::Device>> open(std::string_view id, const OpenOptions& options);

}  // namespace collet::discovery
