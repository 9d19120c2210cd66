// OpenCL: its events, and timelines that are made of them.

#include "backends/opencl/device.hpp"

namespace collet::backend::opencl {
namespace {

cl_event native(common::NativeEvent event) { return static_cast<cl_event>(event); }

common::EventTimeline& state(Timeline timeline) {
  return *reinterpret_cast<common::EventTimeline*>(timeline.id);
}

}  // namespace

// A driver that can't say is waited for.
Result<bool> ClEvents::ended(common::NativeEvent event) {
  cl_int status = CL_SUBMITTED;
  const cl_int asked =
      cl_.clGetEventInfo(native(event), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  if (asked != CL_SUCCESS) status = wait(event) ? CL_COMPLETE : asked;
  if (status < CL_COMPLETE) return execution_error(status);
  return status == CL_COMPLETE;
}

bool ClEvents::wait(common::NativeEvent event) {
  cl_event one = native(event);
  return cl_.clWaitForEvents(1, &one) == CL_SUCCESS;
}

Result<void> ClEvents::retain(common::NativeEvent event) {
  return check(cl_.clRetainEvent(native(event)), kRetainEvent);
}

void ClEvents::release(common::NativeEvent event) { cl_.clReleaseEvent(native(event)); }

std::uint64_t ClEvents::time(common::NativeEvent event) {
  cl_ulong nanoseconds = 0;
  const cl_int status = cl_.clGetEventProfilingInfo(native(event), CL_PROFILING_COMMAND_END,
                                                    sizeof nanoseconds, &nanoseconds, nullptr);
  return status == CL_SUCCESS ? nanoseconds : 0;
}

Result<Timeline> OpenClDevice::create_timeline() {
  return Timeline{reinterpret_cast<std::uintptr_t>(new common::EventTimeline(events_))};
}

void OpenClDevice::destroy_timeline(Timeline timeline) { delete &state(timeline); }

Result<std::uint64_t> OpenClDevice::query_timeline(Timeline timeline) {
  auto reached = state(timeline).poll();
  if (!reached) return health_.note(reached.error());
  return reached;
}

Result<void> OpenClDevice::wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) {
  auto done = common::wait_for_events(points, mode, deadline, adaptive_);
  if (!done) return health_.note(done.error());
  return {};
}

}  // namespace collet::backend::opencl
