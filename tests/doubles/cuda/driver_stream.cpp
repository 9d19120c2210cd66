// Exported: streams, events, functions of the host.

#include "driver.hpp"

namespace collet::cuda_double {
namespace {

StreamHandle* const kLegacyStream = reinterpret_cast<StreamHandle*>(std::uintptr_t{1});

Result make_stream(StreamHandle** stream, unsigned flags) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (stream == nullptr || (flags & ~kStreamNonBlocking) != 0) return kErrorInvalidValue;
  *stream = Streams::instance().add(Stream::start(context, (flags & kStreamNonBlocking) == 0));
  return kSuccess;
}

void wait_on(const std::shared_ptr<Stream>& stream, std::shared_ptr<Record> record) {
  stream->push(
      [record = std::move(record)] {
        record->wait();
        return static_cast<int>(kSuccess);
      },
      true);
}

int find_event(EventHandle* handle, std::shared_ptr<Event>& event) {
  if (Stream::in_host_function()) return kErrorNotPermitted;
  if (!is_initialized()) return kErrorNotInitialized;
  event = Events::instance().find(handle);
  return event == nullptr ? kErrorInvalidHandle : event->context->error();
}

}  // namespace

int find_stream(StreamHandle* handle, std::shared_ptr<Stream>& stream) {
  if (handle == nullptr || handle == kLegacyStream) {
    std::shared_ptr<Context> context;
    const int result = current(context);
    if (result != kSuccess) return result;
    stream = context->default_stream(true, context);
    return kSuccess;
  }
  if (Stream::in_host_function()) return kErrorNotPermitted;
  if (!is_initialized()) return kErrorNotInitialized;
  stream = Streams::instance().find(handle);
  return stream == nullptr ? kErrorInvalidHandle : stream->context->error();
}

void enqueue(const std::shared_ptr<Stream>& stream, std::function<int()> work) {
  const std::shared_ptr<Context>& context = stream->context;
  const auto of_default = context->default_stream(false, context);
  if (stream == of_default) {
    for (const auto& other : Streams::instance().all()) {
      if (other->context == context && other->waits_for_default && !other->is_idle())
        wait_on(stream, other->mark());
    }
  } else if (stream->waits_for_default && of_default != nullptr && !of_default->is_idle()) {
    wait_on(stream, of_default->mark());
  }
  stream->push(std::move(work));
}

Result cuStreamCreate(StreamHandle** stream, unsigned flags) { return make_stream(stream, flags); }

Result cuStreamCreateWithPriority(StreamHandle** stream, unsigned flags, int) {
  return make_stream(stream, flags);
}

// What the stream was given is still done.
Result cuStreamDestroy_v2(StreamHandle* stream) {
  if (Stream::in_host_function()) return kErrorNotPermitted;
  if (stream == nullptr) return kErrorInvalidHandle;
  const auto removed = Streams::instance().remove(stream);
  if (removed == nullptr) return kErrorInvalidHandle;
  Stream::retire(removed);
  return kSuccess;
}

Result cuStreamQuery(StreamHandle* handle) {
  std::shared_ptr<Stream> stream;
  COLLET_CUDA_DOUBLE_TRY(find_stream(handle, stream));
  if (!stream->is_idle()) return kErrorNotReady;
  return static_cast<Result>(stream->context->error());
}

Result cuStreamSynchronize(StreamHandle* handle) {
  std::shared_ptr<Stream> stream;
  COLLET_CUDA_DOUBLE_TRY(find_stream(handle, stream));
  stream->wait_until_idle();
  return static_cast<Result>(stream->context->error());
}

Result cuStreamWaitEvent(StreamHandle* handle, EventHandle* event_handle, unsigned flags) {
  std::shared_ptr<Stream> stream;
  std::shared_ptr<Event> event;
  COLLET_CUDA_DOUBLE_TRY(find_stream(handle, stream));
  COLLET_CUDA_DOUBLE_TRY(find_event(event_handle, event));
  if (flags != 0) return kErrorInvalidValue;
  if (auto record = event->record()) wait_on(stream, std::move(record));
  return kSuccess;
}

Result cuLaunchHostFunc(StreamHandle* handle, void (*function)(void*), void* data) {
  std::shared_ptr<Stream> stream;
  COLLET_CUDA_DOUBLE_TRY(find_stream(handle, stream));
  if (function == nullptr) return kErrorInvalidValue;
  enqueue(stream, [=] {
    Stream::call_host_function(function, data);
    return static_cast<int>(kSuccess);
  });
  return kSuccess;
}

Result cuEventCreate(EventHandle** event, unsigned flags) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (event == nullptr || (flags & ~7U) != 0) return kErrorInvalidValue;
  *event = Events::instance().add(std::make_shared<Event>(context, (flags & kEventDisableTiming) == 0));
  return kSuccess;
}

Result cuEventDestroy_v2(EventHandle* event) {
  if (Stream::in_host_function()) return kErrorNotPermitted;
  return Events::instance().remove(event) != nullptr ? kSuccess : kErrorInvalidHandle;
}

Result cuEventRecord(EventHandle* event_handle, StreamHandle* handle) {
  std::shared_ptr<Stream> stream;
  std::shared_ptr<Event> event;
  COLLET_CUDA_DOUBLE_TRY(find_event(event_handle, event));
  COLLET_CUDA_DOUBLE_TRY(find_stream(handle, stream));
  if (stream->context != event->context) return kErrorInvalidHandle;
  event->set_record(stream->mark());
  return kSuccess;
}

// An event that was never recorded is done.
Result cuEventQuery(EventHandle* handle) {
  std::shared_ptr<Event> event;
  COLLET_CUDA_DOUBLE_TRY(find_event(handle, event));
  const auto record = event->record();
  if (record != nullptr && !record->is_done()) return kErrorNotReady;
  return static_cast<Result>(event->context->error());
}

Result cuEventSynchronize(EventHandle* handle) {
  std::shared_ptr<Event> event;
  COLLET_CUDA_DOUBLE_TRY(find_event(handle, event));
  if (const auto record = event->record()) record->wait();
  return static_cast<Result>(event->context->error());
}

Result cuEventElapsedTime(float* milliseconds, EventHandle* begin_handle, EventHandle* end_handle) {
  std::shared_ptr<Event> begin, end;
  COLLET_CUDA_DOUBLE_TRY(find_event(begin_handle, begin));
  COLLET_CUDA_DOUBLE_TRY(find_event(end_handle, end));
  if (milliseconds == nullptr) return kErrorInvalidValue;
  const auto from = begin->record(), to = end->record();
  if (from == nullptr || to == nullptr || !begin->has_time || !end->has_time) return kErrorInvalidHandle;
  if (!from->is_done() || !to->is_done()) return kErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(to->time() - from->time()).count();
  return kSuccess;
}

}  // namespace collet::cuda_double
