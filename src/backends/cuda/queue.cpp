// CUDA: streams and what is put on them.

#include "backends/cuda/device.hpp"

namespace collet::backend::cuda {
namespace {

constexpr std::size_t kMostIdle = 16;  // making a stream costs a driver as much as hundreds of launches

Address address_of(const Slice& slice) {
  return reinterpret_cast<const MemoryState*>(slice.memory.id)->address + slice.offset;
}

common::EventTimeline& timeline(const Point& point) {
  return *reinterpret_cast<common::EventTimeline*>(point.timeline.id);
}

}  // namespace

Result<Stream> CudaDevice::take_stream() {
  {
    const std::lock_guard lock(streams_mutex_);
    if (!idle_streams_.empty()) {
      const Stream stream = idle_streams_.back();
      idle_streams_.pop_back();
      return stream;
    }
  }
  // The legacy default stream of the program waits for no stream of ours, nor we for it.
  Stream stream = nullptr;
  if (auto done = check(cuda_.StreamCreate(&stream, kStreamNonBlocking), kMakeStream); !done)
    return health_.note(done.error());
  return stream;
}

Result<Queue> CudaDevice::create_queue(QueueKind, std::string_view) {
  const Current current(cuda_, context_);
  COLLET_CHECK(current.check());
  COLLET_TRY(stream, take_stream());
  auto queue = std::make_unique<QueueState>();
  queue->stream = stream;
  queue->serial = next_serial_++;
  return Queue{reinterpret_cast<std::uintptr_t>(queue.release())};
}

void CudaDevice::destroy_queue(Queue handle) {
  const std::unique_ptr<QueueState> queue(reinterpret_cast<QueueState*>(handle.id));
  if (health_.check()) {
    const std::lock_guard lock(streams_mutex_);
    if (idle_streams_.size() < kMostIdle) {
      idle_streams_.push_back(queue->stream);
      return;
    }
  }
  const Current current(cuda_, context_);
  cuda_.StreamDestroy(queue->stream);  // unchecked: it gives back
}

// Parameters of a kernel are pointers and values in the order of the signature's.
Result<void> CudaDevice::launch(QueueState& queue, const Dispatch& dispatch) {
  const auto& kernel = *reinterpret_cast<const KernelState*>(dispatch.kernel.id);
  const Signature& signature = kernel.signature;
  queue.addresses.resize(dispatch.slices.size());
  queue.arguments.resize(signature.parameters.size());
  std::size_t buffer = 0;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    if (parameter.kind == Parameter::Kind::buffer) {
      queue.addresses[buffer] = address_of(dispatch.slices[buffer]);
      queue.arguments[i] = &queue.addresses[buffer++];
    } else {
      // CUDA only reads it.
      queue.arguments[i] = const_cast<std::byte*>(dispatch.constants.data() + parameter.offset);
    }
  }
  const auto& group = signature.group_size;
  const auto& groups = dispatch.groups;
  return check(
      cuda_.LaunchKernel(kernel.function, groups[0], groups[1], groups[2], group[0], group[1], group[2],
                         signature.shared_bytes, queue.stream, queue.arguments.data(), nullptr),
      kLaunch);
}

Result<void> CudaDevice::give(QueueState& queue, const Command& command) {
  struct Give {
    CudaDevice& device;
    QueueState& queue;
    const Api& cuda = device.cuda_;

    Result<void> operator()(const Copy& copy) const {
      return check(
          cuda.MemcpyDtoDAsync(address_of(copy.to), address_of(copy.from), copy.to.size, queue.stream),
          kCopy);
    }
    Result<void> operator()(const Fill& fill) const {
      return check(cuda.MemsetD32Async(address_of(fill.to), fill.pattern, fill.to.size / 4, queue.stream),
                   kFill);
    }
    Result<void> operator()(const Write& write) const {
      return check(cuda.MemcpyHtoDAsync(address_of(write.to), write.from, write.to.size, queue.stream),
                   kCopy);
    }
    Result<void> operator()(const Read& read) const {
      return check(cuda.MemcpyDtoHAsync(read.to, address_of(read.from), read.from.size, queue.stream), kCopy);
    }
    Result<void> operator()(const Dispatch& dispatch) const { return device.launch(queue, dispatch); }
    Result<void> operator()(const Timestamp& timestamp) const {
      COLLET_TRY(event, device.events_.record(queue.stream, true));
      queue.stamps.push_back({.value = 0, .event = event, .slot = timestamp.slot});
      return {};
    }
  };
  return std::visit(Give{*this, queue}, command.what);
}

// A stream runs in order. Where a part of a submission runs already, the timeline fails when that has ended.
Result<void> CudaDevice::submit(Queue handle, const Submission& submission) {
  auto& queue = *reinterpret_cast<QueueState*>(handle.id);
  const Current current(cuda_, context_);
  COLLET_CHECK(current.check());
  common::EventTimeline& signal = timeline(submission.signal);
  COLLET_CHECK(signal.check_open());
  bool begun = false;
  const auto give_all = [&]() -> Result<void> {
    for (const Point& point : submission.waits) {
      COLLET_TRY(event, timeline(point).event_for_queue(point.value, queue.serial));
      if (event == nullptr) continue;
      const auto waited =
          check(cuda_.StreamWaitEvent(queue.stream, static_cast<EventState*>(event)->native, 0), kWaitEvent);
      events_.release(event);
      COLLET_CHECK(waited);
    }
    for (const Command& command : submission.commands) {
      COLLET_CHECK(give(queue, command));
      begun = true;
    }
    return {};
  };
  auto done = give_all();
  auto event = done || begun ? events_.record(queue.stream, false) : Result<EventState*>(nullptr);
  if (done && event) {
    signal.push(submission.signal.value, *event, queue.serial, queue.stamps);
    return {};
  }
  const Error error = health_.note(done ? event.error() : done.error());
  for (const common::Stamp& stamp : queue.stamps) events_.release(stamp.event);
  queue.stamps.clear();
  if (event && *event != nullptr) {
    signal.push_failed(submission.signal.value, *event, queue.serial, error);
    return {};
  }
  cuda_.StreamSynchronize(queue.stream);  // unchecked: nothing else is left to try
  return error;
}

}  // namespace collet::backend::cuda
