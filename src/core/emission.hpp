// A traced kernel's code for a device.
#pragma once

#include <vector>

#include "core/kernel_state.hpp"

namespace collet::detail {

struct EmittedCode {
  Code code;
  std::string entry;
  // Constants that the launch fills in, behind the kernel's own: those of a part, element counts by
  // dimension, then lengths by buffer.
  std::vector<emit::PartWord> words;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> lengths;
  std::uint64_t shared_bytes = 0;  // of workgroup memory
  bool watched = false;            // one more buffer, of one u32: see emit::Emitted
  std::vector<emit::Trust> trusts = {};
  std::vector<ir::Ceiling> terms = {};
};

// In the best format of the device that there is an emitter for.
Result<EmittedCode> emit_for(const DeviceState& device, const KernelState& kernel, Scope scope);

}  // namespace collet::detail
