// A device that hands every call to another: layers and doubles override what they change.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "collet/backend.hpp"

namespace collet::layers {

// Threads: as the device inside. `limits` may be changed before the device is used.
class ForwardingDevice : public backend::Device {
 public:
  explicit ForwardingDevice(std::unique_ptr<backend::Device> inside)
      : limits(inside->caps()), inner(std::move(inside)) {}

  backend::Caps limits;

  const DeviceInfo& info() const override { return inner->info(); }
  const backend::Caps& caps() const override { return limits; }
  Result<backend::MemoryInfo> memory_info() override { return inner->memory_info(); }
  Result<void> health() override { return inner->health(); }
  void* extension(std::string_view name) override { return inner->extension(name); }

  Result<backend::Allocation> create_memory(const backend::MemoryDesc& desc) override {
    return inner->create_memory(desc);
  }
  void destroy_memory(backend::Memory memory) override { inner->destroy_memory(memory); }
  Result<void> sync_host_range(const backend::Slice& slice, bool to_device) override {
    return inner->sync_host_range(slice, to_device);
  }

  Result<backend::BuiltProgram> create_program(const backend::ProgramDesc& desc) override {
    return inner->create_program(desc);
  }
  void destroy_program(backend::Program program) override { inner->destroy_program(program); }
  backend::KernelFigures kernel_figures(backend::Kernel kernel) override {
    return inner->kernel_figures(kernel);
  }
  Result<backend::Kernel> create_kernel(backend::Program program, const backend::KernelDesc& desc) override {
    return inner->create_kernel(program, desc);
  }
  void destroy_kernel(backend::Kernel kernel) override { inner->destroy_kernel(kernel); }

  Result<backend::Timeline> create_timeline() override { return inner->create_timeline(); }
  void destroy_timeline(backend::Timeline timeline) override { inner->destroy_timeline(timeline); }
  Result<std::uint64_t> query_timeline(backend::Timeline timeline) override {
    return inner->query_timeline(timeline);
  }
  Result<void> wait_timelines(std::span<const backend::Point> points, backend::WaitFor mode,
                              Deadline deadline) override {
    return inner->wait_timelines(points, mode, deadline);
  }

  Result<backend::Queue> create_queue(backend::QueueKind kind, std::string_view label) override {
    return inner->create_queue(kind, label);
  }
  void destroy_queue(backend::Queue queue) override { inner->destroy_queue(queue); }
  Result<void> submit(backend::Queue queue, const backend::Submission& submission) override {
    return inner->submit(queue, submission);
  }

  Result<backend::ClockSample> sample_clock() override { return inner->sample_clock(); }

 protected:
  const std::unique_ptr<backend::Device> inner;
};

}  // namespace collet::layers
