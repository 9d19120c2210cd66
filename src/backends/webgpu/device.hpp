// One WebGPU device, and what its handles point to.
#pragma once

#include <array>
#include <vector>

#include "backends/common/worked.hpp"
#include "backends/webgpu/errors.hpp"
#include "collet/backend.hpp"

namespace collet::backend::webgpu {

// What is known before a device is opened.
struct Candidate {
  abi::Adapter adapter = nullptr;  // owned by Candidates
  abi::Limits limits{};
  std::vector<abi::FeatureName> features;  // those that are asked for when it is opened
  DeviceInfo info{};
  std::string refusal;  // why it can't be opened; "" where it can
};

// Threads: one at a time.
class Candidates {
 public:
  // Every adapter of the library that WGPU_BACKEND leaves, in the library's order.
  static Result<Candidates> enumerate(const Api& wgpu, abi::Instance instance);
  ~Candidates();
  Candidates(Candidates&&) noexcept = default;
  Candidates& operator=(const Candidates&) = delete;

  const std::vector<Candidate>& all() const { return all_; }

 private:
  explicit Candidates(const Api& wgpu) : wgpu_(&wgpu) {}

  const Api* wgpu_;
  std::vector<Candidate> all_;
};

Caps device_caps(const Candidate& candidate);

// A device's native side.
//
// Threads: immutable; the library's own functions are thread-safe.
struct Native {
  const Api& wgpu;
  abi::Instance instance = nullptr;
  abi::Device device = nullptr;
  abi::Queue queue = nullptr;
  abi::Limits limits{};
  float tick_ns = 1;  // of timestamps
  Reports& reports;

  // Lets the library call back what has happened since. Does not wait for the device.
  void poll() const;
  // The same until the device is idle, where the library can do that.
  bool can_wait() const { return wgpu.DevicePoll != nullptr; }
  void wait() const;
  // A buffer of `size` bytes; released by release_buffer().
  Result<abi::Buffer> create_buffer(std::uint64_t size, abi::Flags usage, std::string_view label,
                                    const Doing& doing) const;
  void release_buffer(abi::Buffer buffer) const;
};

// A number that is never given twice in a process.
std::uint64_t next_serial();

struct MemoryState {
  abi::Buffer buffer = nullptr;
  std::uint64_t size = 0;
  std::uint64_t serial = 0;
};

struct ProgramState {
  abi::ShaderModule module = nullptr;
  std::string code;  // WGSL
};

// What a bind group holds, so that a launch with the same arguments takes the same one.
struct BoundSlice {
  std::uint64_t serial = 0;  // of the memory
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  friend bool operator==(const BoundSlice&, const BoundSlice&) = default;
};

struct KernelState {
  abi::ComputePipeline pipeline = nullptr;
  abi::BindGroupLayout layout = nullptr;
  std::uint32_t constants_size = 0;  // a multiple of 16

  struct Bound {
    std::vector<BoundSlice> slices;
    abi::BindGroup group = nullptr;
  };
  // Used by the executor alone. A group whose memory is gone is never asked for again.
  std::array<Bound, 4> bound;
  std::size_t next_bound = 0;
};

// Kernels of the signature's layout: its buffers, then the block of constants.
Result<std::unique_ptr<KernelState>> create_pipeline(const Native& native, const ProgramState& program,
                                                     const KernelDesc& desc);
void destroy_pipeline(const Native& native, KernelState& kernel);
Result<std::unique_ptr<ProgramState>> create_module(const Native& native, std::string_view code,
                                                    std::string_view label);

// Records and submits, on the worker's thread: queue.cpp.
std::unique_ptr<common::Executor> make_executor(const Native& native);

class WebGpuDevice final : public common::Worked<Device> {
 public:
  static Result<std::unique_ptr<Device>> open(const Api& wgpu, abi::Instance instance, Reports& reports,
                                              const Candidate& candidate, WaitMode mode);
  ~WebGpuDevice() override;

  const DeviceInfo& info() const override { return info_; }
  const Caps& caps() const override { return caps_; }
  Result<MemoryInfo> memory_info() override { return MemoryInfo{}; }  // WebGPU does not say
  Result<void> health() override { return native_.reports.check(); }
  // "webgpu.instance", "webgpu.device", "webgpu.queue": the native handles, alive as long as the device.
  void* extension(std::string_view name) override;

  Result<Allocation> create_memory(const MemoryDesc& desc) override;
  void destroy_memory(Memory memory) override;
  Result<void> sync_host_range(const Slice&, bool) override { return {}; }  // nothing is mapped

  Result<BuiltProgram> create_program(const ProgramDesc& desc) override;
  void destroy_program(Program program) override;
  Result<Kernel> create_kernel(Program program, const KernelDesc& desc) override;
  void destroy_kernel(Kernel kernel) override;

  Result<ClockSample> sample_clock() override;

 private:
  WebGpuDevice(const Native& native, const Candidate& candidate);

  const Native native_;
  const DeviceInfo info_;
  const Caps caps_;
};

}  // namespace collet::backend::webgpu
