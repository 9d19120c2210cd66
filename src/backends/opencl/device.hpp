// One OpenCL device with a context of its own, and what its handles point to.
#pragma once

#include <atomic>
#include <mutex>

#include "backends/common/event_timeline.hpp"
#include "backends/common/health.hpp"
#include "backends/opencl/errors.hpp"
#include "collet/backend.hpp"

namespace collet::backend::opencl {

// What is known before a device is opened.
struct Candidate {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  DeviceInfo info;
  std::uint32_t version = 0;    // 120 for OpenCL 1.2
  std::uint32_t c_version = 0;  // of OpenCL C; the highest up to 3.0
  bool has_compiler = false;
  bool has_il = false;
  std::string refusal;  // why it can't be opened; "" where it can
};

// Every device of every platform, in the loader's order.
Result<std::vector<Candidate>> enumerate(const Api& cl);
Caps device_caps(const Api& cl, const Candidate& candidate);

// A number that is never given twice in a process, so that caches can't take a new object for a dead one.
std::uint64_t next_serial();

// A cl_mem for a part of a Memory.
struct SubBuffer {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t serial = 0;
  cl_mem mem = nullptr;
};

struct MemoryState {
  cl_mem mem = nullptr;
  void* shared = nullptr;  // where host and kernels reach it at the same time
  std::uint64_t size = 0;
  std::uint64_t serial = 0;
  std::mutex mutex;
  std::vector<SubBuffer> parts;  // guarded by mutex; at most kMaxParts
  std::size_t next_evicted = 0;  // guarded by mutex

  // The core rounds sizes up to 16, so a slice that ends less than that before the end is the whole.
  bool is_whole(const Slice& slice) const { return slice.offset == 0 && size - slice.size < 16; }
};

// What a kernel argument gets.
struct Binding {
  cl_mem mem = nullptr;
  std::uint64_t serial = 0;
};

// A cl_kernel holds its arguments, so each queue has one of its own.
// Threads: one at a time, as the queue that it belongs to.
struct KernelClone {
  cl_kernel kernel = nullptr;
  std::vector<std::uint64_t> bound;  // per buffer, the serial of what is set; 0: nothing
  std::vector<std::byte> constants;  // as last set
  bool constants_set = false;        // and the workgroup memory
};

// Threads: immutable but for the clones.
struct KernelState {
  std::uint64_t serial = 0;
  cl_program program = nullptr;
  std::string entry;
  Signature signature;
  KernelFigures figures;
  std::mutex mutex;
  std::vector<std::unique_ptr<KernelClone>> clones;  // guarded by mutex; by queue slot
  cl_kernel spare = nullptr;                         // guarded by mutex; the first clone takes it
};

// OpenCL's events, for timelines.
class ClEvents final : public common::Events {
 public:
  explicit ClEvents(const Api& cl) : cl_(cl) {}

  Result<bool> ended(common::NativeEvent event) override;
  bool wait(common::NativeEvent event) override;
  Result<void> retain(common::NativeEvent event) override;
  void release(common::NativeEvent event) override;
  std::uint64_t time(common::NativeEvent event) override;

 private:
  const Api& cl_;
};

// Threads: one at a time.
struct QueueState {
  std::uint64_t serial = 0;
  std::uint32_t slot = 0;  // index into KernelState::clones; given again after destroy_queue
  cl_command_queue native = nullptr;
  cl_command_queue retired = nullptr;  // what `native` was before the first Timestamp
  bool profiling = false;

  // A stale entry is never asked for again: serials are not reused.
  struct Cached {
    std::uint64_t serial = 0;
    KernelClone* clone = nullptr;
  };
  std::array<Cached, 64> clones{};

  std::vector<cl_event> waits;        // for the next command; owned
  std::vector<common::Stamp> stamps;  // of the submission under way; owned
  std::vector<cl_mem> parts;          // sub-buffers of the command under way; owned
};

class OpenClDevice final : public Device {
 public:
  static Result<std::unique_ptr<Device>> open(const Api& cl, const Candidate& candidate,
                                              const OpenOptions& options);
  ~OpenClDevice() override;

  const DeviceInfo& info() const override { return candidate_.info; }
  const Caps& caps() const override { return caps_; }
  Result<MemoryInfo> memory_info() override;
  Result<void> health() override;
  // "opencl.context", "opencl.device", "opencl.platform": the native handles, alive as long as the device.
  void* extension(std::string_view name) override;

  Result<Allocation> create_memory(const MemoryDesc& desc) override;
  void destroy_memory(Memory memory) override;
  Result<void> sync_host_range(const Slice&, bool) override { return {}; }  // nothing is mapped

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
  friend class Recording;  // one submission: queue.cpp

  OpenClDevice(const Api& cl, const Candidate& candidate, cl_context context, bool adaptive);

  Result<cl_program> program_from_source(const ProgramDesc& desc);
  Result<cl_program> program_from_il(const ProgramDesc& desc);
  Result<void> build(cl_program program, const ProgramDesc& desc, BuiltProgram& built);
  std::string build_log(cl_program program);

  Result<void> check_kernel(cl_kernel kernel, const KernelDesc& desc);
  Result<void> check_arguments(cl_kernel kernel, const KernelDesc& desc);
  Result<void> check_group(cl_kernel kernel, const KernelDesc& desc);
  Error kernel_not_found(cl_program program, std::string_view entry);

  Result<Binding> bind_part(const Slice& slice);
  Result<KernelClone*> clone_for(KernelState& kernel, QueueState& queue);
  Result<void> set_arguments(const KernelState& kernel, KernelClone& clone, QueueState& queue,
                             const Dispatch& dispatch);
  Result<void> set_buffer(KernelClone& clone, cl_uint index, std::uint64_t& bound, const Slice& slice,
                          QueueState& queue);
  Result<cl_command_queue> create_native_queue(cl_command_queue_properties properties);
  Result<void> start_profiling(QueueState& queue);

  const Api& cl_;
  const Candidate candidate_;
  const Caps caps_;
  const cl_context context_;
  const bool adaptive_;
  ClEvents events_;
  common::Health health_;

  std::mutex mutex_;
  std::vector<bool> slots_;  // guarded by mutex_; queue slots in use
};

}  // namespace collet::backend::opencl
