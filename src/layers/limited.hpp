// A device that has less than the one inside: made-up limits, kept as a driver would keep them.
#pragma once

#include <map>
#include <mutex>

#include "layers/forwarding.hpp"
#include "layers/limits.hpp"

namespace collet::layers {

// What is more than the device inside has stays as it is there. Threads: thread-safe.
class LimitedDevice final : public ForwardingDevice {
 public:
  // `info` is what this device calls itself; its figures are lowered.
  LimitedDevice(std::unique_ptr<backend::Device> inside, DeviceInfo info, const Limits& asked);

  const DeviceInfo& info() const override { return info_; }
  Result<backend::MemoryInfo> memory_info() override;
  // Refused with all three figures where the memory of all allocations would be more than the limit.
  Result<backend::Allocation> create_memory(const backend::MemoryDesc& desc) override;
  void destroy_memory(backend::Memory memory) override;
  // Refuses what keeps no rule of the waist, as a driver would that has these limits.
  Result<void> submit(backend::Queue queue, const backend::Submission& submission) override;

 private:
  DeviceInfo info_;
  const Profile profile_;
  const std::uint64_t total_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;                         // guarded by mutex_
  std::map<std::uintptr_t, std::uint64_t> sizes_;  // of live memory, by id; guarded by mutex_
};

// Lowers the figures of `info` to what such a device has.
void describe_limits(DeviceInfo& info, const Limits& asked);

}  // namespace collet::layers
