// A kernel's CPU function, run on the host in place of a device that has no code for it.
#pragma once

#include <vector>

#include "collet/backend.hpp"
#include "core/kernel_state.hpp"
#include "core/staging.hpp"

namespace collet::core {

// Threads: one at a time.
class StandIn final : public detail::Counted {
 public:
  StandIn(detail::Ref<detail::CompiledKernel> kernel, const backend::Dispatch& dispatch)
      : kernel_(std::move(kernel)),
        groups_(dispatch.groups),
        extent_(dispatch.extent),
        slices_(dispatch.slices.begin(), dispatch.slices.end()),
        constants_(dispatch.constants.begin(), dispatch.constants.end()),
        buffers_(slices_.size()) {}

  void set_buffer(std::size_t index, Staged staged) { buffers_[index] = std::move(staged); }
  const Staged& buffer(std::size_t index) const { return buffers_[index]; }
  const backend::Slice& slice(std::size_t index) const { return slices_[index]; }

  // Runs every group, one after the other, on this thread.
  Result<void> run() const;

 private:
  detail::Ref<detail::CompiledKernel> kernel_;
  std::array<std::uint32_t, 3> groups_;
  std::array<std::uint64_t, 3> extent_;
  std::vector<backend::Slice> slices_;
  std::vector<std::byte> constants_;
  std::vector<Staged> buffers_;
};

}  // namespace collet::core
