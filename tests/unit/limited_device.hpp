// A device around the null device that counts its allocations and fails them beyond limits that a test sets.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "backends/null/device.hpp"
#include "layers/forwarding.hpp"

namespace collet::test {

// Fails a test that gives back what is not live, or that leaves something live. Threads: as any Device; the
// limits are set before it is used.
class LimitedDevice : public layers::ForwardingDevice {
 public:
  LimitedDevice() : ForwardingDevice(std::make_unique<backend::null::NullDevice>()) {
    name_.name = "Limited";
    limits.max_allocation = std::uint64_t{1} << 40;
  }
  ~LimitedDevice() override { EXPECT_EQ(count(), 0u) << "native allocations were leaked"; }

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
    auto made = ForwardingDevice::create_memory(backed);
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
    ForwardingDevice::destroy_memory(memory);
  }

 private:
  DeviceInfo name_;
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, std::uint64_t> live_;
  std::uint64_t bytes_ = 0;
};

}  // namespace collet::test
