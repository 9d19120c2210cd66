// A device around the null device that counts its allocations and fails them beyond limits that a test sets.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "backends/null/device.hpp"

namespace collet::test {

// Fails a test that gives back what is not live, or that leaves something live. Threads: as any Device; the
// limits are set before it is used.
class LimitedDevice : public backend::Device {
 public:
  LimitedDevice() {
    name_.name = "Limited";
    limits = null_.caps();
    limits.max_allocation = std::uint64_t{1} << 40;
  }
  ~LimitedDevice() override { EXPECT_EQ(count(), 0u) << "native allocations were leaked"; }

  backend::Caps limits;
  std::uint64_t total = std::uint64_t{16} << 30;  // what memory_info() says
  std::uint64_t room = ~std::uint64_t{0};         // bytes that create_memory() has
  bool zeroes = true;                             // says zeroed; else fills with a pattern
  std::atomic<std::uint64_t> calls{0};            // of create_memory()
  std::uint64_t most = 0;                         // live at once

  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return live_.size();
  }
  std::uint64_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

  const DeviceInfo& info() const override { return name_; }
  const backend::Caps& caps() const override { return limits; }
  Result<backend::MemoryInfo> memory_info() override {
    return backend::MemoryInfo{.total = total, .available = 0};
  }

  Result<backend::Allocation> create_memory(const backend::MemoryDesc& desc) override {
    ++calls;
    EXPECT_EQ(desc.size % 16, 0u);
    EXPECT_LE(desc.size, limits.max_allocation);
    const std::lock_guard lock(mutex_);
    if (bytes_ + desc.size > room) {
      return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed, "No room.")
          .with_native(-2, "FAKE_OUT_OF_DEVICE_MEMORY");
    }
    // A test machine may not have more than 1 GiB; a page stands in for it, and no test may touch it.
    backend::MemoryDesc backed = desc;
    if (desc.size > (std::uint64_t{1} << 30)) backed.size = 4096;
    auto made = null_.create_memory(backed);
    if (!made) return made;
    if (!zeroes) {
      made->zeroed = false;
      std::memset(made->host, 0x5a, backed.size);
    }
    live_[made->memory.id] = desc.size;
    bytes_ += desc.size;
    most = std::max<std::uint64_t>(most, live_.size());
    return made;
  }

  void destroy_memory(backend::Memory memory) override {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(memory.id);
    ASSERT_NE(found, live_.end()) << "given back twice, or never made";
    bytes_ -= found->second;
    live_.erase(found);
    null_.destroy_memory(memory);
  }

  Result<void> health() override { return {}; }
  void* extension(std::string_view) override { return nullptr; }
  Result<void> sync_host_range(const backend::Slice&, bool) override { return {}; }
  Result<backend::BuiltProgram> create_program(const backend::ProgramDesc& d) override {
    return null_.create_program(d);
  }
  void destroy_program(backend::Program) override {}
  Result<std::vector<std::byte>> program_binary(backend::Program p) override {
    return null_.program_binary(p);
  }
  Result<backend::Kernel> create_kernel(backend::Program p, const backend::KernelDesc& d) override {
    return null_.create_kernel(p, d);
  }
  void destroy_kernel(backend::Kernel) override {}
  Result<backend::Timeline> create_timeline() override { return null_.create_timeline(); }
  void destroy_timeline(backend::Timeline t) override { null_.destroy_timeline(t); }
  Result<std::uint64_t> query_timeline(backend::Timeline t) override { return null_.query_timeline(t); }
  Result<void> wait_timelines(std::span<const backend::Point> p, backend::WaitFor m, Deadline d) override {
    return null_.wait_timelines(p, m, d);
  }
  Result<backend::Queue> create_queue(backend::QueueKind k, std::string_view l) override {
    return null_.create_queue(k, l);
  }
  void destroy_queue(backend::Queue) override {}
  Result<void> submit(backend::Queue q, const backend::Submission& s) override { return null_.submit(q, s); }
  Result<backend::ClockSample> sample_clock() override { return null_.sample_clock(); }

 private:
  backend::null::NullDevice null_;
  DeviceInfo name_;
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, std::uint64_t> live_;
  std::uint64_t bytes_ = 0;
};

}  // namespace collet::test
