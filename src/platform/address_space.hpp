// How much address space this process may use.
#pragma once

#include <cstdint>
#include <optional>

namespace collet::platform {

struct AddressSpace {
  std::uint64_t limit = 0;  // bytes
  std::uint64_t used = 0;
};

// Nothing where the system sets this process no limit (ulimit -v), or does not say what is used.
std::optional<AddressSpace> address_space();

}  // namespace collet::platform
