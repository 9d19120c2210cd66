// One CUDA device with its primary context, and what its handles point to.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/common/event_timeline.hpp"
#include "backends/common/health.hpp"
#include "backends/cuda/api.hpp"
#include "backends/cuda/compiler.hpp"
#include "backends/cuda/errors.hpp"
#include "collet/backend.hpp"

namespace collet::backend::cuda {

// What is known before a device is opened.
struct Candidate {
  Ordinal ordinal = 0;
  int capability = 0;  // 75 is 7.5
  DeviceInfo info{};
  std::string refusal;  // why it can't be opened; "" where it can
};

// "13.0" of 13000.
std::string version_text(int version);

// Every device of the driver, in its order.
Result<std::vector<Candidate>> enumerate(const Api& cuda);
// Every attribute that CUDA has a number for, as JSON: {"max_group_items": 1024, …}.
std::string properties_json(const Api& cuda, const Candidate& candidate);
Caps device_caps(const Api& cuda, const Candidate& candidate, bool has_compiler);

// Makes a context the thread's own while it lives; the one before it comes back.
class Current {
 public:
  Current(const Api& cuda, Context context) : cuda_(cuda), pushed_(cuda.CtxPushCurrent(context)) {}
  ~Current() {
    Context popped = nullptr;
    if (pushed_ == kSuccess) cuda_.CtxPopCurrent(&popped);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

  Result<void> check() const { return cuda::check(pushed_, kTakeContext); }

 private:
  const Api& cuda_;
  const Status pushed_;
};

struct MemoryState {
  Address address = 0;
  std::byte* host = nullptr;  // of memory that both reach
};

struct ProgramState {
  Module module = nullptr;
  std::string ptx;  // "" of binaries
};

struct KernelState {
  Function function = nullptr;
  Signature signature;
};

// An event that several timelines may hold.
struct EventState {
  NativeEvent native = nullptr;
  bool timed = false;
  std::atomic<std::uint32_t> holders{1};
};

// CUDA's events, for timelines, and a pool of those that nobody holds.
//
// Threads: thread-safe.
class CudaEvents final : public common::Events {
 public:
  CudaEvents(const Api& cuda, Context context) : cuda_(cuda), context_(context) {}
  // Sets the time that later ones are measured from.
  Result<void> start();
  // Gives all back, while there is a context; nobody holds one any more.
  void stop();
  // Recorded behind all that the stream has; the context is the thread's.
  Result<EventState*> record(Stream stream, bool timed);
  // What time() would say of an event that ends now.
  Result<std::uint64_t> now();

  Result<bool> ended(common::NativeEvent event) override;
  bool wait(common::NativeEvent event) override;
  Result<void> retain(common::NativeEvent event) override;
  void release(common::NativeEvent event) override;
  std::uint64_t time(common::NativeEvent event) override;

 private:
  Result<EventState*> take(bool timed);

  const Api& cuda_;
  const Context context_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<EventState*> spare_, spare_timed_;
  EventState* base_ = nullptr;
  std::uint64_t base_ns_ = 0;
};

// Threads: one at a time.
struct QueueState {
  Stream stream = nullptr;
  std::uint64_t serial = 0;
  std::vector<common::Stamp> stamps;  // of the submission under way; owned
  std::vector<Address> addresses;     // of the launch under way
  std::vector<void*> arguments;
};

class CudaDevice final : public Device {
 public:
  static Result<std::unique_ptr<Device>> open(const Api& cuda, const Candidate& candidate,
                                              const OpenOptions& options);
  ~CudaDevice() override;

  const DeviceInfo& info() const override { return candidate_.info; }
  const Caps& caps() const override { return caps_; }
  Result<MemoryInfo> memory_info() override;
  Result<void> health() override { return health_.check(); }
  // "cuda.context": the primary context. "cuda.properties": every property as JSON, a const char*. Both are
  // alive as long as the device.
  void* extension(std::string_view name) override;

  Result<Allocation> create_memory(const MemoryDesc& desc) override;
  void destroy_memory(Memory memory) override;
  Result<void> sync_host_range(const Slice&, bool) override { return {}; }  // mapped memory is coherent

  Result<BuiltProgram> create_program(const ProgramDesc& desc) override;
  void destroy_program(Program program) override;
  Result<Kernel> create_kernel(Program program, const KernelDesc& desc) override;
  void destroy_kernel(Kernel kernel) override;
  KernelFigures kernel_figures(Kernel kernel) override;

  Result<Timeline> create_timeline() override;
  void destroy_timeline(Timeline timeline) override;
  Result<std::uint64_t> query_timeline(Timeline timeline) override;
  Result<void> wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) override;

  Result<Queue> create_queue(QueueKind kind, std::string_view label) override;
  void destroy_queue(Queue queue) override;
  Result<void> submit(Queue queue, const Submission& submission) override;

  Result<ClockSample> sample_clock() override;

 private:
  CudaDevice(const Api& cuda, const Candidate& candidate, Context context, const Compiler* compiler,
             bool adaptive);

  Result<Module> load_module(const void* image, const CompileOptions& options, std::string& log);
  // From the idle ones, or a new one; the context is the thread's.
  Result<Stream> take_stream();
  Result<void> give(QueueState& queue, const Command& command);
  Result<void> launch(QueueState& queue, const Dispatch& dispatch);

  const Api& cuda_;
  const Candidate candidate_;
  std::string properties_;  // JSON
  const Context context_;
  const Compiler* const compiler_;  // null where this system has none
  const bool adaptive_;
  const Caps caps_;
  CudaEvents events_;
  common::Health health_;
  std::atomic<std::uint64_t> next_serial_{1};
  std::mutex streams_mutex_;
  std::vector<Stream> idle_streams_;  // guarded by streams_mutex_
};

}  // namespace collet::backend::cuda
