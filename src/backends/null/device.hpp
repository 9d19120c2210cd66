// The null device: real memory and real copies on the host, no kernels. The skeleton to copy for a new
// backend, and the floor that the core's own cost is measured on.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::null {

class NullDevice final : public Device {
 public:
  NullDevice();

  const DeviceInfo& info() const override { return info_; }
  const Caps& caps() const override { return caps_; }
  Result<MemoryInfo> memory_info() override;
  Result<void> health() override { return {}; }
  void* extension(std::string_view) override { return nullptr; }

  Result<Allocation> create_memory(const MemoryDesc& desc) override;
  void destroy_memory(Memory memory) override;
  Result<void> sync_host_range(const Slice&, bool) override { return {}; }

  Result<BuiltProgram> create_program(const ProgramDesc& desc) override;
  void destroy_program(Program program) override;
  Result<Kernel> create_kernel(Program program, const KernelDesc& desc) override;
  void destroy_kernel(Kernel kernel) override;

  Result<Timeline> create_timeline() override;
  void destroy_timeline(Timeline timeline) override;
  Result<std::uint64_t> query_timeline(Timeline timeline) override;
  Result<void> wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) override;

  Result<Queue> create_queue(QueueKind kind, std::string_view label) override;
  void destroy_queue(Queue queue) override;
  Result<void> submit(Queue queue, const Submission& submission) override;

  Result<ClockSample> sample_clock() override;

 private:
  DeviceInfo info_;
  Caps caps_;
};

// The host address of a slice.
std::byte* address(const Slice& slice);

}  // namespace collet::backend::null
