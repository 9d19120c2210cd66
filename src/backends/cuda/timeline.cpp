// CUDA: its events, and timelines that are made of them.

#include "backends/common/clock.hpp"
#include "backends/cuda/device.hpp"

namespace collet::backend::cuda {
namespace {

// CUDA gives times as milliseconds in a float, which is exact to some nanoseconds for this long.
constexpr float kLongestMs = 500;

EventState* state(common::NativeEvent event) { return static_cast<EventState*>(event); }
common::EventTimeline& state(Timeline timeline) {
  return *reinterpret_cast<common::EventTimeline*>(timeline.id);
}

}  // namespace

void CudaEvents::stop() {
  const Current current(cuda_, context_);
  const std::lock_guard lock(mutex_);
  if (base_ != nullptr) spare_.push_back(std::exchange(base_, nullptr));
  for (auto* all : {&spare_, &spare_timed_}) {
    for (EventState* one : *all) {
      cuda_.EventDestroy(one->native);  // unchecked: it gives back
      delete one;
    }
    all->clear();
  }
}

Result<void> CudaEvents::start() {
  const Current current(cuda_, context_);
  COLLET_CHECK(current.check());
  COLLET_TRY(base, record(nullptr, true));
  COLLET_CHECK(check(cuda_.EventSynchronize(base->native), kAskEvent));
  const std::lock_guard lock(mutex_);
  base_ = base;
  base_ns_ = common::host_ns();
  return {};
}

Result<EventState*> CudaEvents::take(bool timed) {
  {
    const std::lock_guard lock(mutex_);
    auto& spare = timed ? spare_timed_ : spare_;
    if (!spare.empty()) {
      EventState* one = spare.back();
      spare.pop_back();
      one->holders = 1;
      return one;
    }
  }
  auto made = std::make_unique<EventState>();
  made->timed = timed;
  COLLET_CHECK(check(cuda_.EventCreate(&made->native, timed ? 0 : kEventDisableTiming), kMakeEvent));
  return made.release();
}

Result<EventState*> CudaEvents::record(Stream stream, bool timed) {
  COLLET_TRY(event, take(timed));
  if (auto done = check(cuda_.EventRecord(event->native, stream), kRecordEvent); !done) {
    release(event);
    return done.error();
  }
  return event;
}

Result<bool> CudaEvents::ended(common::NativeEvent event) {
  const Current current(cuda_, context_);
  const Status status = cuda_.EventQuery(state(event)->native);
  if (status == kNotReady) return false;
  COLLET_CHECK(check(status, kAskEvent));
  return true;
}

bool CudaEvents::wait(common::NativeEvent event) {
  const Current current(cuda_, context_);
  return cuda_.EventSynchronize(state(event)->native) == kSuccess;
}

Result<void> CudaEvents::retain(common::NativeEvent event) {
  ++state(event)->holders;
  return {};
}

void CudaEvents::release(common::NativeEvent event) {
  EventState* one = state(event);
  if (--one->holders != 0) return;
  const std::lock_guard lock(mutex_);
  (one->timed ? spare_timed_ : spare_).push_back(one);
}

std::uint64_t CudaEvents::time(common::NativeEvent event) {
  const Current current(cuda_, context_);
  const std::lock_guard lock(mutex_);
  float ms = 0;
  if (cuda_.EventElapsedTime(&ms, base_->native, state(event)->native) != kSuccess) return 0;
  const std::uint64_t ns =
      base_ns_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<double>(ms) * 1e6));
  if (ms > kLongestMs) {
    EventState* before = std::exchange(base_, state(event));
    ++base_->holders;
    base_ns_ = ns;
    if (--before->holders == 0) spare_timed_.push_back(before);
  }
  return ns;
}

Result<std::uint64_t> CudaEvents::now() {
  COLLET_TRY(event, record(nullptr, true));
  const auto ended = check(cuda_.EventSynchronize(event->native), kAskEvent);
  const std::uint64_t ns = ended ? time(event) : 0;
  release(event);
  COLLET_CHECK(ended);
  if (ns == 0)
    return Error(ErrorCode::unsupported, Category::runtime, "CUDA gives no time of an event that has ended.");
  return ns;
}

Result<Timeline> CudaDevice::create_timeline() {
  return Timeline{reinterpret_cast<std::uintptr_t>(new common::EventTimeline(events_))};
}

void CudaDevice::destroy_timeline(Timeline timeline) { delete &state(timeline); }

Result<std::uint64_t> CudaDevice::query_timeline(Timeline timeline) {
  auto reached = state(timeline).poll();
  if (!reached) return health_.note(reached.error());
  return reached;
}

Result<void> CudaDevice::wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) {
  auto done = common::wait_for_events(points, mode, deadline, adaptive_);
  if (!done) return health_.note(done.error());
  return {};
}

}  // namespace collet::backend::cuda
