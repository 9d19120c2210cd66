// A traced kernel's code for a device.
#pragma once

#include <vector>

#include "core/kernel_state.hpp"

namespace collet::detail {

struct EmittedCode {
  Code code;
  // Constants that the launch fills in, behind the kernel's own: element counts by dimension, then lengths by
  // buffer.
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> lengths;
};

// In the best format of the device that there is an emitter for.
Result<EmittedCode> emit_for(const DeviceState& device, const KernelState& kernel);

}  // namespace collet::detail
