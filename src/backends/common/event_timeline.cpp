// A ring of events. Only the oldest is polled: events behind one that still runs are not looked at, even if
// they have ended.

#include "backends/common/event_timeline.hpp"

#include <cassert>
#include <chrono>
#include <utility>

#include "backends/common/backoff.hpp"
#include "backends/common/waiting.hpp"

namespace collet::backend::common {
namespace {

constexpr std::size_t kFirstRing = 64;
// How long an adaptive wait looks before it sleeps.
constexpr std::chrono::microseconds kAdaptiveSpin{50};

}  // namespace

EventTimeline::EventTimeline(Events& events) : events_(events), ring_(kFirstRing) {}

EventTimeline::~EventTimeline() {
  assert(waiters_ == 0);
  drop();
}

// Retaining an event for each wait would cost more than this.
void EventTimeline::release(NativeEvent event) {
  if (waiters_ == 0)
    events_.release(event);
  else
    kept_.push_back(event);
}

void EventTimeline::release_kept() {
  for (NativeEvent event : kept_) events_.release(event);
  kept_.clear();
}

void EventTimeline::drop() {
  while (count_ != 0) pop();
  for (const Stamp& stamp : stamps_) events_.release(stamp.event);
  stamps_.clear();
}

void EventTimeline::pop() {
  release(at(0).event);
  ++head_;
  --count_;
}

void EventTimeline::push(std::uint64_t value, NativeEvent event, std::uint64_t queue,
                         std::vector<Stamp>& stamps) {
  const std::lock_guard lock(mutex_);
  add({.value = value, .event = event, .queue = queue});
  for (Stamp& stamp : stamps) {
    stamp.value = value;
    stamps_.push_back(stamp);
  }
  stamps.clear();
}

void EventTimeline::push_failed(std::uint64_t value, NativeEvent event, std::uint64_t queue, Error error) {
  const std::lock_guard lock(mutex_);
  add({.value = value, .event = event, .queue = queue});
  if (!announced_) announced_ = {.value = value, .error = std::move(error)};
}

void EventTimeline::add(const Pending& pending) {
  if (count_ == ring_.size()) {
    advance();
    if (count_ > ring_.size() / 2) grow();  // so that not every push from here on asks the driver
  }
  if (failure_) drop();  // no value will be reached any more
  at(count_++) = pending;
}

void EventTimeline::grow() {
  std::vector<Pending> larger(ring_.size() * 2);
  for (std::size_t i = 0; i < count_; ++i) larger[i] = at(i);
  ring_ = std::move(larger);
  head_ = 0;
}

// The oldest pending entry that proves `value`; null where there is none.
const EventTimeline::Pending* EventTimeline::find(std::uint64_t value) {
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

void EventTimeline::advance(NativeEvent done) {
  if (failure_) return;
  while (count_ != 0) {
    const Pending& oldest = at(0);
    const Result<bool> ended = oldest.event == done ? Result<bool>(true) : events_.ended(oldest.event);
    if (ended && !*ended) return;
    if (!ended && !failing_) failing_ = ended.error();
    if (!ended && ended.error().code() == ErrorCode::device_lost) break;  // it runs nothing any more
    if (announced_ && announced_->value == oldest.value && !failing_) failing_ = announced_->error;
    if (!failing_) reached_ = oldest.value;
    pop();
    if (!failing_ && !stamps_.empty()) fill_stamps();
  }
  failure_ = failing_;
}

void EventTimeline::fill_stamps() {
  std::size_t done = 0;
  for (; done < stamps_.size() && stamps_[done].value <= reached_; ++done) {
    *stamps_[done].slot = events_.time(stamps_[done].event);
    events_.release(stamps_[done].event);
  }
  stamps_.erase(stamps_.begin(), stamps_.begin() + static_cast<std::ptrdiff_t>(done));
}

Result<void> EventTimeline::check_open() {
  const std::lock_guard lock(mutex_);
  if (failure_) return *failure_;
  if (failing_) return *failing_;
  if (announced_) return announced_->error;
  return {};
}

Result<std::uint64_t> EventTimeline::poll() {
  const std::lock_guard lock(mutex_);
  advance();
  if (failure_) return *failure_;
  return reached_;
}

Result<NativeEvent> EventTimeline::event_for_queue(std::uint64_t value, std::uint64_t queue) {
  const std::lock_guard lock(mutex_);
  if (failure_) return *failure_;
  if (failing_) return *failing_;
  if (reached_ >= value) return NativeEvent{nullptr};
  const Pending* pending = find(value);
  if (pending == nullptr || pending->queue == queue) return NativeEvent{nullptr};
  COLLET_CHECK(events_.retain(pending->event));
  return pending->event;
}

void EventTimeline::spin(NativeEvent event) const {
  const auto end = Deadline::Clock::now() + kAdaptiveSpin;
  while (Deadline::Clock::now() < end) {
    if (const auto ended = events_.ended(event); !ended || *ended) return;
  }
}

// Events of several queues may end in any order: from the second round on it waits for the oldest.
Result<void> EventTimeline::wait(std::uint64_t value, bool adaptive) {
  std::optional<Backoff> unsubmitted;
  for (bool first = true;; first = false) {
    std::unique_lock lock(mutex_);
    if (failure_) return *failure_;
    if (reached_ >= value) return {};
    const Pending* pending = find(value);
    if (pending == nullptr && !failing_) {
      lock.unlock();
      if (!unsubmitted) unsubmitted.emplace(kForever);
      unsubmitted->pause();
      continue;
    }
    const NativeEvent event = first && pending != nullptr ? pending->event : at(0).event;
    ++waiters_;  // keeps the event alive
    lock.unlock();
    if (adaptive) spin(event);
    const bool well = events_.wait(event);
    lock.lock();
    --waiters_;
    advance(well ? event : nullptr);  // a failure shows in the event itself, which says more
    if (waiters_ == 0 && !kept_.empty()) release_kept();
  }
}

Result<void> wait_for_events(std::span<const Point> points, WaitFor mode, Deadline deadline, bool adaptive) {
  const auto state = [](Timeline timeline) -> EventTimeline& {
    return *reinterpret_cast<EventTimeline*>(timeline.id);
  };
  if (deadline.forever() && (mode == WaitFor::all || points.size() == 1)) {
    for (const Point& point : points) COLLET_CHECK(state(point.timeline).wait(point.value, adaptive));
    return {};
  }
  // No API can wait for one of several events, or until a deadline.
  for (Backoff backoff(deadline);;) {
    COLLET_TRY(waiting, look_at(points, mode, [&](Timeline one) { return state(one).poll(); }));
    if (waiting.over) return {};
    if (!backoff.pause()) return timeout_error(waiting, points.size());
  }
}

}  // namespace collet::backend::common
