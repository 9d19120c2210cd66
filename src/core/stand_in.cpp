// The stand-in's loop over groups.

#include "core/stand_in.hpp"

#include "core/thrown.hpp"

namespace collet::core {

Result<void> StandIn::run() const {
  std::vector<std::byte*> pointers;
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    pointers.push_back(buffers_[i].host);
    sizes.push_back(slices_[i].size);
  }
  const backend::Signature& signature = kernel_->signature;
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> shared(signature.shared_bytes / sizeof(Line) + 1);

  backend::HostGroup group{.id = {},
                           .count = groups_,
                           .size = signature.group_size,
                           .extent = extent_,
                           .buffers = pointers.data(),
                           .buffer_sizes = sizes.data(),
                           .constants = constants_.data(),
                           .shared = shared.front().bytes};
  try {
    for (group.id[2] = 0; group.id[2] < groups_[2]; ++group.id[2]) {
      for (group.id[1] = 0; group.id[1] < groups_[1]; ++group.id[1]) {
        for (group.id[0] = 0; group.id[0] < groups_[0]; ++group.id[0]) {
          kernel_->host.function(kernel_->host.closure.get(), group);
        }
      }
    }
  } catch (...) {
    return Error(ErrorCode::internal, Category::kernel,
                 "The CPU function of [Kernel \"" + kernel_->name + "\"] " + thrown());
  }
  detail::DeviceState& device = kernel_->device;
  for (std::size_t i = 0; i < buffers_.size() && !device.caps.host_commands; ++i) {
    COLLET_CHECK(device.native->sync_host_range(buffers_[i].slice, true));
  }
  return {};
}

}  // namespace collet::core
