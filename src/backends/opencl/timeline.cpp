// OpenCL: timelines as rings of events. OpenCL itself knows single events only.

#include <cassert>

#include "backends/common/backoff.hpp"
#include "backends/opencl/device.hpp"

namespace collet::backend::opencl {
namespace {

constexpr std::size_t kFirstRing = 64;
// How long an adaptive wait looks before it sleeps.
constexpr std::chrono::microseconds kAdaptiveSpin{50};

TimelineState& state(Timeline timeline) { return *reinterpret_cast<TimelineState*>(timeline.id); }

// CL_COMPLETE, a status of work under way (> 0), or an error (< 0). A driver that can't say is waited for.
cl_int event_status(const Api& cl, cl_event event) {
  cl_int status = CL_SUBMITTED;
  const cl_int asked =
      cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  if (asked == CL_SUCCESS) return status;
  return cl.clWaitForEvents(1, &event) == CL_SUCCESS ? CL_COMPLETE : asked;
}

}  // namespace

TimelineState::TimelineState(const Api& cl) : cl_(cl), ring_(kFirstRing) {}

TimelineState::~TimelineState() {
  assert(waiters_ == 0);
  drop();
}

// Retaining an event for each wait would cost more than this.
void TimelineState::release(cl_event event) {
  if (waiters_ == 0)
    cl_.clReleaseEvent(event);
  else
    kept_.push_back(event);
}

void TimelineState::release_kept() {
  for (const cl_event event : kept_) cl_.clReleaseEvent(event);
  kept_.clear();
}

void TimelineState::drop() {
  for (; count_ != 0; --count_, ++head_) release(at(0).event);
  for (const Stamp& stamp : stamps_) cl_.clReleaseEvent(stamp.event);
  stamps_.clear();
}

void TimelineState::push(std::uint64_t value, cl_event event, std::uint64_t queue,
                         std::vector<Stamp>& stamps) {
  const std::lock_guard lock(mutex_);
  if (count_ == ring_.size()) {
    advance();
    if (count_ > ring_.size() / 2) grow();  // so that not every push from here on asks the driver
  }
  if (failure_) drop();  // no value will be reached any more
  at(count_++) = {.value = value, .event = event, .queue = queue};
  for (Stamp& stamp : stamps) {
    stamp.value = value;
    stamps_.push_back(stamp);
  }
  stamps.clear();
}

void TimelineState::grow() {
  std::vector<Pending> larger(ring_.size() * 2);
  for (std::size_t i = 0; i < count_; ++i) larger[i] = at(i);
  ring_ = std::move(larger);
  head_ = 0;
}

// The oldest pending entry that proves `value`; null where there is none.
const TimelineState::Pending* TimelineState::find(std::uint64_t value) {
  std::size_t low = 0;
  for (std::size_t high = count_; low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (at(middle).value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count_ ? &at(low) : nullptr;
}

void TimelineState::advance(cl_event done) {
  while (count_ != 0 && !failure_) {
    const Pending& oldest = at(0);
    const cl_int status = oldest.event == done ? CL_COMPLETE : event_status(cl_, oldest.event);
    if (status > CL_COMPLETE) return;
    if (status < CL_COMPLETE) {
      failure_ = execution_error(status);
      // Later ones may still write into the caller's memory. A lost device runs nothing, and may wait for
      // ever.
      if (failure_->code() == ErrorCode::device_lost) return;
      for (std::size_t i = 1; i < count_; ++i) cl_.clWaitForEvents(1, &at(i).event);
      return;
    }
    reached_ = oldest.value;
    release(oldest.event);
    ++head_;
    --count_;
    if (!stamps_.empty()) fill_stamps();
  }
}

// A driver that has no time for an event leaves 0 in its slot.
void TimelineState::fill_stamps() {
  std::size_t done = 0;
  for (; done < stamps_.size() && stamps_[done].value <= reached_; ++done) {
    cl_ulong nanoseconds = 0;
    const cl_int status = cl_.clGetEventProfilingInfo(stamps_[done].event, CL_PROFILING_COMMAND_END,
                                                      sizeof nanoseconds, &nanoseconds, nullptr);
    *stamps_[done].slot = status == CL_SUCCESS ? nanoseconds : 0;
    cl_.clReleaseEvent(stamps_[done].event);
  }
  stamps_.erase(stamps_.begin(), stamps_.begin() + static_cast<std::ptrdiff_t>(done));
}

Result<std::uint64_t> TimelineState::poll() {
  const std::lock_guard lock(mutex_);
  advance();
  if (failure_) return *failure_;
  return reached_;
}

Result<cl_event> TimelineState::event_for_queue(std::uint64_t value, std::uint64_t queue) {
  const std::lock_guard lock(mutex_);
  if (failure_) return *failure_;
  if (reached_ >= value) return cl_event{nullptr};
  const Pending* pending = find(value);
  if (pending == nullptr || pending->queue == queue) return cl_event{nullptr};
  COLLET_CHECK(check(cl_.clRetainEvent(pending->event), Category::synchronisation, "retaining an event"));
  return pending->event;
}

void TimelineState::spin(cl_event event) const {
  const auto end = Deadline::Clock::now() + kAdaptiveSpin;
  while (event_status(cl_, event) > CL_COMPLETE && Deadline::Clock::now() < end) {
  }
}

// Events of several queues may end in any order: from the second round on it waits for the oldest.
Result<void> TimelineState::wait(std::uint64_t value, bool adaptive) {
  std::optional<common::Backoff> unsubmitted;
  for (bool first = true;; first = false) {
    std::unique_lock lock(mutex_);
    if (failure_) return *failure_;
    if (reached_ >= value) return {};
    const Pending* pending = find(value);
    if (pending == nullptr) {
      lock.unlock();
      if (!unsubmitted) unsubmitted.emplace(kForever);
      unsubmitted->pause();
      continue;
    }
    const cl_event event = first ? pending->event : at(0).event;
    ++waiters_;  // keeps the event alive
    lock.unlock();
    if (adaptive) spin(event);
    const cl_int waited = cl_.clWaitForEvents(1, &event);
    lock.lock();
    --waiters_;
    advance(waited == CL_SUCCESS ? event
                                 : nullptr);  // a failure shows in the event's own status, which says more
    if (waiters_ == 0 && !kept_.empty()) release_kept();
  }
}

Result<Timeline> OpenClDevice::create_timeline() {
  return Timeline{reinterpret_cast<std::uintptr_t>(new TimelineState(cl_))};
}

void OpenClDevice::destroy_timeline(Timeline timeline) { delete &state(timeline); }

Result<std::uint64_t> OpenClDevice::query_timeline(Timeline timeline) {
  auto reached = state(timeline).poll();
  if (!reached) return note(reached.error());
  return reached;
}

Result<void> OpenClDevice::wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) {
  if (deadline.forever() && (mode == WaitFor::all || points.size() == 1)) {
    for (const Point& point : points) {
      if (auto done = state(point.timeline).wait(point.value, adaptive_); !done) return note(done.error());
    }
    return {};
  }

  // OpenCL can wait neither for one of several events nor until a deadline.
  for (common::Backoff backoff(deadline);;) {
    std::size_t reached = 0;
    Point missing;
    std::uint64_t stands_at = 0;
    for (const Point& point : points) {
      COLLET_TRY(value, query_timeline(point.timeline));
      if (value >= point.value) {
        ++reached;
      } else {
        missing = point;
        stands_at = value;
      }
    }
    if (reached == points.size() || (mode == WaitFor::any && reached != 0)) return {};
    if (!backoff.pause()) {
      return Error(ErrorCode::timeout, Category::synchronisation,
                   "The deadline passed with " + std::to_string(reached) + " of " +
                       std::to_string(points.size()) + " timelines reached; one stands at " +
                       std::to_string(stands_at) + " of " + std::to_string(missing.value) + ".");
    }
  }
}

}  // namespace collet::backend::opencl
