// Commands of a submission become command buffers.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "backends/webgpu/device.hpp"
#include "backends/webgpu/staging.hpp"

namespace collet::backend::webgpu {

// What was given to the driver, until it has ended. Callbacks point at it.
struct InFlight {
  std::atomic<bool> done{false};
  bool failed = false;  // set before `done`
  std::vector<std::unique_ptr<Readback>> readbacks;
  std::vector<std::uint64_t*> stamps;  // of each Timestamp, where its time goes
  std::vector<std::uint64_t> ticks;    // as they were read back
  abi::QuerySet queries = nullptr;

  bool ended() const;
};

// Threads: the worker's only.
class Recorder {
 public:
  explicit Recorder(const Native& native);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Makes what every submission needs; once, before the first.
  Result<void> prepare();
  // Gives all commands to the driver. Null `flight.done` until the driver has done them. On an error nothing
  // of them runs any more.
  Result<void> submit(std::span<const Command> commands, InFlight& flight);
  // Hands over what was read, and takes back what the submission used.
  Result<void> finish(InFlight& flight);

 private:
  Result<void> record(std::span<const Command> commands);
  Result<void> record(const Copy& copy);
  Result<void> record(const Fill& fill);
  Result<void> record(const Write& write);
  Result<void> record(const Read& read);
  Result<void> record(const Dispatch& dispatch);
  Result<void> record(const Timestamp& timestamp);

  void begin_encoder();
  void begin_pass();
  void end_pass();
  // Submits what is recorded so far.
  Result<void> flush();
  void drop();  // what is recorded
  Result<void> resolve_stamps();
  Result<abi::BindGroup> bind(KernelState& kernel, std::span<const Slice> slices);
  Result<std::uint32_t> keep_constants(std::span<const std::byte> constants, std::uint32_t size);
  Result<Readback*> room(std::uint64_t size);
  void release(InFlight& flight);
  void wait_until_idle();

  const Native& native_;
  const Api& wgpu_;
  Readbacks readbacks_;
  std::unique_ptr<ProgramState> fill_program_;
  std::unique_ptr<KernelState> fill_;
  abi::Buffer constants_buffer_ = nullptr;
  abi::Buffer bounce_ = nullptr;  // for copies within one buffer, which WebGPU refuses
  abi::Buffer resolved_ = nullptr;

  // Of the submission under way.
  abi::CommandEncoder encoder_ = nullptr;
  abi::ComputePassEncoder pass_ = nullptr;
  std::vector<std::byte> constants_;  // of the encoder's dispatches
  InFlight* flight_ = nullptr;
  std::uint64_t unread_ = 0;  // bytes of the Reads to come
  bool submitted_ = false;    // a part of it
};

}  // namespace collet::backend::webgpu
