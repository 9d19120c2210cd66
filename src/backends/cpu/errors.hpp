// The errors that only the CPU backend can give. It has no native codes, so there is no check().
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>

#include "backends/cpu/state.hpp"

namespace collet::backend::cpu {

Error no_memory(std::uint64_t bytes, std::string_view purpose);

// What a kernel of IR could not do, on its way out of a host function. Threads: immutable.
class KernelFailed final : public std::exception {
 public:
  explicit KernelFailed(Error why) : error(std::move(why)) {}
  const char* what() const noexcept override { return error.message().c_str(); }

  const Error error;
};

// For a catch (...) block: the error of a KernelFailed; else names the kernel and what it threw.
Error kernel_threw(const KernelState& kernel, const HostGroup& group);
Error wait_timed_out(std::uint64_t wanted, std::uint64_t value);

}  // namespace collet::backend::cpu
