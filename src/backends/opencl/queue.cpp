// OpenCL: in-order command queues and what is enqueued on them.

#include <algorithm>
#include <cassert>

#include "backends/opencl/device.hpp"

namespace collet::backend::opencl {
namespace {

cl_mem native(const Slice& slice) { return reinterpret_cast<MemoryState*>(slice.memory.id)->mem; }

common::EventTimeline& timeline(const Point& point) {
  return *reinterpret_cast<common::EventTimeline*>(point.timeline.id);
}

bool is_timestamp(const Command& command) { return std::holds_alternative<Timestamp>(command.what); }

}  // namespace

// One submission on its way into the driver.
class Recording {
 public:
  Recording(OpenClDevice& device, QueueState& queue)
      : cl_(device.cl_), device_(device), queue_(queue), profiled_(queue.profiling) {}

  Result<void> wait_for(std::span<const Point> points);
  Result<void> add(std::span<const Command> commands);
  // The event of the last command; the caller owns it.
  cl_event take_signal() { return std::exchange(event_, nullptr); }
  // Drops what the driver does not have yet. What it has uses the caller's memory: an event of the end of
  // that, which the caller owns, or null where nothing was begun.
  cl_event abandon();

  Result<void> operator()(const Copy& copy);
  Result<void> operator()(const Fill& fill);
  Result<void> operator()(const Write& write);
  Result<void> operator()(const Read& read);
  Result<void> operator()(const Dispatch& dispatch);
  Result<void> operator()(const Timestamp& timestamp);

 private:
  Result<void> mark();
  void release_event();
  void release_waits();

  cl_uint wait_count() const { return static_cast<cl_uint>(queue_.waits.size()); }
  const cl_event* waits() const { return queue_.waits.empty() ? nullptr : queue_.waits.data(); }
  cl_event* event() { return wanted_ ? &event_ : nullptr; }

  const Api& cl_;
  OpenClDevice& device_;
  QueueState& queue_;
  const bool profiled_;       // before it
  cl_event event_ = nullptr;  // of the command before, where it was wanted; owned
  bool wanted_ = false;
  bool started_ = false;
};

Result<void> Recording::wait_for(std::span<const Point> points) {
  for (const Point& point : points) {
    COLLET_TRY(event, timeline(point).event_for_queue(point.value, queue_.serial));
    if (event != nullptr) queue_.waits.push_back(static_cast<cl_event>(event));
  }
  return {};
}

// Only the last command and those before a Timestamp need an event.
Result<void> Recording::add(std::span<const Command> commands) {
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const bool last = i + 1 == commands.size();
    if (!is_timestamp(commands[i])) {
      release_event();
      wanted_ = last || is_timestamp(commands[i + 1]);
    }
    if (auto done = std::visit(*this, commands[i].what); !done) [[unlikely]] {
      if (commands.size() == 1) return done.error();
      return done.error().during("submitting command " + std::to_string(i + 1) + " of " +
                                 std::to_string(commands.size()));
    }
    started_ = true;
    release_waits();  // the queue is in order, so the first command waits for all
  }
  if (event_ == nullptr) COLLET_CHECK(mark());
  return check(cl_.clFlush(queue_.native), kFlush);
}

cl_event Recording::abandon() {
  for (const common::Stamp& stamp : queue_.stamps) cl_.clReleaseEvent(static_cast<cl_event>(stamp.event));
  queue_.stamps.clear();
  release_event();
  if (started_ || queue_.profiling != profiled_) {
    // Behind what was begun, and behind the queue before the first Timestamp, whose end is among the waits.
    if (mark() && cl_.clFlush(queue_.native) == CL_SUCCESS) return take_signal();
    release_event();
    // A driver that fails twice is waited for.
    cl_.clFinish(queue_.native);                                  // unchecked: nothing else is left to try
    if (queue_.retired != nullptr) cl_.clFinish(queue_.retired);  // unchecked: the same
  }
  release_waits();
  return nullptr;
}

void Recording::release_event() {
  if (event_ != nullptr) cl_.clReleaseEvent(std::exchange(event_, nullptr));
}

void Recording::release_waits() {
  for (const cl_event wait : queue_.waits) cl_.clReleaseEvent(wait);
  queue_.waits.clear();
}

// An event that stands for everything enqueued so far.
Result<void> Recording::mark() {
  COLLET_CHECK(check(cl_.clEnqueueMarkerWithWaitList(queue_.native, wait_count(), waits(), &event_), kMark));
  started_ = true;
  release_waits();
  return {};
}

Result<void> Recording::operator()(const Copy& copy) {
  return check(cl_.clEnqueueCopyBuffer(queue_.native, native(copy.from), native(copy.to), copy.from.offset,
                                       copy.to.offset, copy.to.size, wait_count(), waits(), event()),
               kCopy);
}

Result<void> Recording::operator()(const Fill& fill) {
  return check(cl_.clEnqueueFillBuffer(queue_.native, native(fill.to), &fill.pattern, sizeof fill.pattern,
                                       fill.to.offset, fill.to.size, wait_count(), waits(), event()),
               kFill);
}

Result<void> Recording::operator()(const Write& write) {
  return check(cl_.clEnqueueWriteBuffer(queue_.native, native(write.to), CL_FALSE, write.to.offset,
                                        write.to.size, write.from, wait_count(), waits(), event()),
               kWrite);
}

Result<void> Recording::operator()(const Read& read) {
  return check(cl_.clEnqueueReadBuffer(queue_.native, native(read.from), CL_FALSE, read.from.offset,
                                       read.from.size, read.to, wait_count(), waits(), event()),
               kRead);
}

Result<void> Recording::operator()(const Dispatch& dispatch) {
  auto& kernel = *reinterpret_cast<KernelState*>(dispatch.kernel.id);
  COLLET_TRY(clone, device_.clone_for(kernel, queue_));
  const auto set = device_.set_arguments(kernel, *clone, queue_, dispatch);

  cl_int status = CL_SUCCESS;
  if (set) [[likely]] {
    const auto& group = kernel.signature.group_size;
    const std::size_t local[] = {group[0], group[1], group[2]};
    const std::size_t global[] = {local[0] * dispatch.groups[0], local[1] * dispatch.groups[1],
                                  local[2] * dispatch.groups[2]};
    const cl_uint dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
    status = cl_.clEnqueueNDRangeKernel(queue_.native, clone->kernel, dimensions, nullptr, global, local,
                                        wait_count(), waits(), event());
  }
  for (const cl_mem part : queue_.parts) cl_.clReleaseMemObject(part);
  queue_.parts.clear();
  COLLET_CHECK(set);
  return check(status, kLaunch);
}

// The end of the command before is the time, so no further command is needed but for the first of a
// submission.
Result<void> Recording::operator()(const Timestamp& timestamp) {
  if (event_ == nullptr) COLLET_CHECK(mark());
  COLLET_CHECK(check(cl_.clRetainEvent(event_), kRetainEvent));
  queue_.stamps.push_back({.value = 0, .event = event_, .slot = timestamp.slot});
  return {};
}

Result<cl_command_queue> OpenClDevice::create_native_queue(cl_command_queue_properties properties) {
  cl_int status = CL_SUCCESS;
  const cl_command_queue queue = cl_.clCreateCommandQueue(context_, candidate_.device, properties, &status);
  COLLET_CHECK(check(status, kMakeQueue));
  return queue;
}

Result<Queue> OpenClDevice::create_queue(QueueKind, std::string_view) {
  COLLET_TRY(native_queue, create_native_queue(0));
  auto queue = std::make_unique<QueueState>();
  queue->serial = next_serial();
  queue->native = native_queue;

  const std::lock_guard lock(mutex_);
  const auto free = std::find(slots_.begin(), slots_.end(), false);
  queue->slot = static_cast<std::uint32_t>(free - slots_.begin());
  if (free == slots_.end())
    slots_.push_back(true);
  else
    *free = true;
  return Queue{reinterpret_cast<std::uintptr_t>(queue.release())};
}

void OpenClDevice::destroy_queue(Queue handle) {
  const std::unique_ptr<QueueState> queue(reinterpret_cast<QueueState*>(handle.id));
  cl_.clReleaseCommandQueue(queue->native);
  if (queue->retired != nullptr) cl_.clReleaseCommandQueue(queue->retired);
  const std::lock_guard lock(mutex_);
  slots_[queue->slot] = false;
}

// Profiling costs PoCL about a tenth of a launch, so a queue pays for it from its first Timestamp on.
Result<void> OpenClDevice::start_profiling(QueueState& queue) {
  COLLET_TRY(profiled, create_native_queue(CL_QUEUE_PROFILING_ENABLE));
  cl_event last = nullptr;
  const cl_int status = cl_.clEnqueueMarkerWithWaitList(queue.native, 0, nullptr, &last);
  if (status != CL_SUCCESS) {
    cl_.clReleaseCommandQueue(profiled);
    return check(status, kMark);
  }
  queue.waits.push_back(last);
  queue.retired = queue.native;
  queue.native = profiled;
  queue.profiling = true;
  return check(cl_.clFlush(queue.retired), kFlush);
}

// Of a submission with several commands OpenCL may have begun some when a later one is refused. The timeline
// fails when those have ended; the error says which command it was.
Result<void> OpenClDevice::submit(Queue handle, const Submission& submission) {
  auto& queue = *reinterpret_cast<QueueState*>(handle.id);
  assert(queue.waits.empty() && queue.stamps.empty() && queue.parts.empty());
  Recording recording(*this, queue);

  common::EventTimeline& signal = timeline(submission.signal);
  const auto record = [&]() -> Result<void> {
    COLLET_CHECK(signal.check_open());
    if (!queue.profiling && std::ranges::any_of(submission.commands, is_timestamp)) {
      COLLET_CHECK(start_profiling(queue));
    }
    COLLET_CHECK(recording.wait_for(submission.waits));
    return recording.add(submission.commands);
  };
  if (auto done = record(); !done) [[unlikely]] {
    const Error error = health_.note(done.error());
    const cl_event end = recording.abandon();
    if (end == nullptr) return error;
    signal.push_failed(submission.signal.value, end, queue.serial, error);
    return {};
  }
  signal.push(submission.signal.value, recording.take_signal(), queue.serial, queue.stamps);
  return {};
}

}  // namespace collet::backend::opencl
