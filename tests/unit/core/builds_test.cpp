// Kernels are built outside every stream's lock: each once, different ones side by side.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "backends/null/device.hpp"
#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "layers/forwarding.hpp"

namespace collet {
namespace {

// Outlives the device. Threads: thread-safe.
class Gate {
 public:
  // A build begins, and ends when the test says so.
  void pass() {
    std::unique_lock lock(mutex_);
    ++begun_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_; });
  }
  bool begun(int many) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return begun_ >= many; });
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    open_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int begun_ = 0;
  bool open_ = false;
};

class SlowBuilder final : public layers::ForwardingDevice {
 public:
  explicit SlowBuilder(Gate& gate)
      : ForwardingDevice(std::make_unique<backend::null::NullDevice>()), gate_(gate) {}

  Result<backend::BuiltProgram> create_program(const backend::ProgramDesc& desc) override {
    gate_.pass();
    return ForwardingDevice::create_program(desc);
  }

 private:
  Gate& gate_;
};

class Builds : public testing::Test {
 protected:
  Gate gate_;
  Device device_{detail::Ref(new detail::DeviceState(std::make_unique<SlowBuilder>(gate_), {}))};
  Buffer<std::uint32_t> buffer_ = *device_.buffer<std::uint32_t>(4);
};

auto source(const char* name) {
  return KernelSource<Out<std::uint32_t>>(name).group(4).opencl("kernel void f() {}").kernel();
}

TEST_F(Builds, OneOnAStreamDoesNotDelayTheLaunchesOfAnother) {
  gate_.open();
  const auto known = source("known");
  ASSERT_TRUE(device_.compile(known));
  gate_.close();
  Stream slow = device_.stream();
  const auto unknown = source("unknown");
  std::thread builder([&] { slow.launch(unknown, groups(1), buffer_); });
  ASSERT_TRUE(gate_.begun(2));
  Stream other = device_.stream();
  const auto begin = std::chrono::steady_clock::now();
  other.launch(known, groups(1), buffer_);
  EXPECT_TRUE(other.wait());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  // Nor those of its own that other threads add, and who asks whether it is done.
  slow.launch(known, groups(1), buffer_);
  EXPECT_TRUE(slow.wait());
  gate_.open();
  builder.join();
  EXPECT_TRUE(slow.wait());
}

TEST_F(Builds, OfDifferentKernelsGoOnSideBySide) {
  const auto first = source("first");
  const auto second = source("second");
  auto one = device_.compile_async(first);
  auto other = device_.compile_async(second);
  EXPECT_TRUE(gate_.begun(2)) << "the second build waits for the first";
  gate_.open();
  EXPECT_TRUE(one.get());
  EXPECT_TRUE(other.get());
}

TEST_F(Builds, OfOneKernelHappenOnce) {
  const auto kernel = source("once");
  std::array<std::thread, 4> threads;
  std::atomic<int> built{0};
  for (std::thread& thread : threads) {
    thread = std::thread([&] { built += device_.compile(kernel).has_value() ? 1 : 0; });
  }
  ASSERT_TRUE(gate_.begun(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  gate_.open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(built, 4);
  EXPECT_EQ(gate_.count(), 1);
}

// Its kernels share one program.
TEST_F(Builds, OfOneModuleHappenOnce) {
  Module module("pair");
  module.opencl("kernel void a() {} kernel void b() {}");
  const auto a = KernelSource<Out<std::uint32_t>>("a", module).group(4).kernel();
  const auto b = KernelSource<Out<std::uint32_t>>("b", module).group(4).kernel();
  auto one = device_.compile_async(a);
  auto other = device_.compile_async(b);
  ASSERT_TRUE(gate_.begun(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  gate_.open();
  EXPECT_TRUE(one.get());
  EXPECT_TRUE(other.get());
  EXPECT_EQ(gate_.count(), 1);
}

TEST_F(Builds, NothingIsBuiltForAStreamThatHasFailed) {
  gate_.open();
  Stream stream = device_.stream();
  stream.upload(std::vector<std::uint32_t>(5), buffer_);  // one element too many
  stream.launch(source("late"), groups(1), buffer_);
  EXPECT_FALSE(stream.wait());
  EXPECT_EQ(gate_.count(), 0);
}

}  // namespace
}  // namespace collet
