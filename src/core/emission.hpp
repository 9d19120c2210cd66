// A traced kernel's code for a device.
#pragma once

#include <optional>
#include <vector>

#include "core/kernel_state.hpp"
#include "kernel/emit/emit.hpp"

namespace collet::detail {

struct EmittedCode {
  Code code;
  std::optional<ir::Kernel> ir = {};  // in place of bytes where the format is IR
  std::string entry;
  // Constants that the launch fills in, behind the kernel's own: those of a part, element counts by
  // dimension, then lengths by buffer.
  std::vector<emit::PartWord> words;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> lengths;
  std::uint64_t shared_bytes = 0;  // of workgroup memory
  // In checked mode, see emit::Shadowed: one more buffer where it is not empty, before that of messages.
  std::vector<std::uint32_t> shadow_units = {};
  std::vector<ir::Message> messages = {};  // one more buffer, before that of a watch, is for them
  bool watched = false;                    // one more buffer, of one u32: see emit::Emitted
  bool unoptimised = false;                // it must be built without optimisation
  std::vector<std::string> quirks;         // ids of those of the driver that changed this code
  std::vector<std::string> emulated = {};  // names of what the device lacks and this code does without
  std::vector<emit::Trust> trusts = {};
  std::vector<ir::Ceiling> terms = {};
};

// What emitters are told of a device, its driver's quirks included.
emit::Target target_of(const DeviceInfo& device);

// In the best format of the device that there is an emitter for.
Result<EmittedCode> emit_for(const DeviceState& device, const KernelState& kernel, Scope scope);

}  // namespace collet::detail
