// The errors that only the CPU backend can give. It has no native codes, so there is no check().
#pragma once

#include <cstdint>
#include <string_view>

#include "backends/cpu/state.hpp"

namespace collet::backend::cpu {

Error no_memory(std::uint64_t bytes, std::string_view purpose);
// For a catch (...) block: names the kernel and what it threw.
Error kernel_threw(const KernelState& kernel, const HostGroup& group);
Error wait_timed_out(std::uint64_t wanted, std::uint64_t value);

}  // namespace collet::backend::cpu
