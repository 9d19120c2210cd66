// CPU: timelines, and the threads and queues that wait for them.
//
// A sleeper reads epoch, lowers wake_at to its value, checks the timeline, then sleeps while epoch is
// unchanged. A signaller writes value, reads wake_at, and if that is reached resets it, raises epoch and
// wakes all: those who want more lower wake_at again. Since a sleeper reads epoch before it touches wake_at,
// a reset that swallows its wish is followed by an epoch that it has not seen. Queues that wait for another
// queue's work park here instead.

#include <algorithm>
#include <mutex>

#include "backends/cpu/device.hpp"
#include "backends/cpu/errors.hpp"
#include "backends/cpu/run.hpp"
#include "platform/platform.hpp"

namespace collet::backend::cpu {
namespace {

constexpr std::uint64_t kSpinBlocking = 50'000;  // ns that a waiter spins before it sleeps
constexpr std::uint64_t kSpinAdaptive = 500'000;

// After value or failed was written.
void wake_waiters(Pool& pool, TimelineState& timeline) {
  const bool failed = timeline.failed.load();
  const std::uint64_t wanted = timeline.wake_at.load();
  if (wanted != TimelineState::kNobody && (failed || timeline.value.load() >= wanted)) {
    timeline.wake_at.store(TimelineState::kNobody);
    timeline.epoch.fetch_add(1);
    platform::futex_wake(futex(timeline.epoch), ~0u);
  }
  if (pool.any_sleepers.load() != 0) {
    pool.any_epoch.fetch_add(1);
    platform::futex_wake(futex(pool.any_epoch), ~0u);
  }
  if (!timeline.has_parked.load()) return;

  QueueState* free = nullptr;
  {
    const std::lock_guard guard(timeline.lock);
    const std::uint64_t value = timeline.value.load();
    QueueState** link = &timeline.parked;
    while (QueueState* queue = *link) {
      if (!failed && queue->parked_for > value) {
        link = &queue->next_parked;
        continue;
      }
      *link = queue->next_parked;
      queue->next_parked = free;
      free = queue;
    }
    timeline.has_parked.store(timeline.parked != nullptr);
  }
  while (free != nullptr) {
    QueueState* queue = free;
    free = queue->next_parked;
    release(pool, *queue);
  }
}

std::int64_t nanoseconds_left(const Deadline& deadline) {
  if (deadline.forever()) return -1;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.left()).count();
}

// Counts a spinning waiter for as long as it lives; few may spin at once.
class SpinSeat {
 public:
  explicit SpinSeat(Pool& pool) : seats_(pool.spinning_waiters) {
    taken_ = seats_.fetch_add(1) < pool.processors() / 2;
    if (!taken_) seats_.fetch_sub(1);
  }
  SpinSeat(const SpinSeat&) = delete;
  SpinSeat& operator=(const SpinSeat&) = delete;
  ~SpinSeat() {
    if (taken_) seats_.fetch_sub(1);
  }
  bool taken() const { return taken_; }

 private:
  std::atomic<std::uint32_t>& seats_;
  bool taken_ = false;
};

// Runs what the point waits for, as far as this thread can.
bool help(Runner& me, const TimelinePoint& point) {
  QueueState* queue = point.timeline->queue.load();
  return queue != nullptr && look(me, *queue, &point);
}

void sleep_until(const TimelinePoint& point, const Deadline& deadline) {
  TimelineState& timeline = *point.timeline;
  const std::uint32_t epoch = timeline.epoch.load();
  std::uint64_t wanted = timeline.wake_at.load();
  while (wanted > point.value && !timeline.wake_at.compare_exchange_weak(wanted, point.value)) {
  }
  if (settled(timeline, point.value)) return;
  platform::futex_wait(futex(timeline.epoch), epoch, nanoseconds_left(deadline));
}

// Helps, spins and sleeps until the point is settled or the deadline passed.
void settle(Pool& pool, const TimelinePoint& point, const Deadline& deadline, std::uint64_t spin) {
  // A group may run for any time, so only a waiter without a deadline can afford to run one.
  const bool helps = deadline.forever();
  Runner me(pool, false);
  if (helps) {
    while (!settled(*point.timeline, point.value) && help(me, point)) {
    }
  }
  if (settled(*point.timeline, point.value)) return;

  if (const SpinSeat seat(pool); seat.taken()) {
    std::uint64_t since = now_ns();
    for (std::uint32_t turn = 1; !settled(*point.timeline, point.value); ++turn) {
      if (helps && help(me, point)) since = now_ns();
      relax();
      if (turn % 16 == 0 && (now_ns() - since >= spin || deadline.passed())) break;
    }
  }
  while (!settled(*point.timeline, point.value) && !deadline.passed()) {
    if (!helps || !help(me, point)) sleep_until(point, deadline);
  }
}

TimelinePoint resolve(const Point& point) {
  return {reinterpret_cast<TimelineState*>(point.timeline.id), point.value};
}

// Empty where the point was not reached and did not fail.
std::optional<Result<void>> outcome(const TimelinePoint& point) {
  if (reached(*point.timeline, point.value)) return Result<void>{};
  if (point.timeline->failed.load()) return Result<void>(*point.timeline->error);
  return std::nullopt;
}

// Of the first point that is settled; empty where none is.
std::optional<Result<void>> first_outcome(std::span<const Point> points) {
  for (const Point& point : points) {
    if (auto found = outcome(resolve(point))) return found;
  }
  return std::nullopt;
}

// Does not help: running one of the queues would delay the news of another.
Result<void> wait_any(Pool& pool, std::span<const Point> points, const Deadline& deadline,
                      std::uint64_t spin) {
  if (const SpinSeat seat(pool); seat.taken()) {
    const std::uint64_t since = now_ns();
    do {
      if (const auto found = first_outcome(points)) return *found;
      relax();
    } while (now_ns() - since < spin && !deadline.passed());
  }
  for (;;) {
    pool.any_sleepers.fetch_add(1);
    const std::uint32_t epoch = pool.any_epoch.load();
    const auto found = first_outcome(points);
    const bool late = deadline.passed();
    if (!found && !late) platform::futex_wait(futex(pool.any_epoch), epoch, nanoseconds_left(deadline));
    pool.any_sleepers.fetch_sub(1);
    if (found) return *found;
    if (late) return wait_timed_out(points[0].value, resolve(points[0]).timeline->value.load());
  }
}

}  // namespace

void signal(Pool& pool, TimelineState& timeline, std::uint64_t value) {
  timeline.value.store(value);
  wake_waiters(pool, timeline);
}

void fail(Pool& pool, TimelineState& timeline, const Error& error) {
  {
    const std::lock_guard guard(timeline.lock);
    if (!timeline.failed.load()) {
      timeline.error = error;
      timeline.failed.store(true);
    }
  }
  wake_waiters(pool, timeline);
}

bool park(TimelineState& timeline, std::uint64_t value, QueueState& queue) {
  const std::lock_guard guard(timeline.lock);
  timeline.has_parked.store(true);
  if (settled(timeline, value)) {
    timeline.has_parked.store(timeline.parked != nullptr);
    return false;
  }
  queue.parked_for = value;
  queue.next_parked = timeline.parked;
  timeline.parked = &queue;
  return true;
}

void drop(Pool& pool, TimelineState& timeline) {
  if (timeline.references.fetch_sub(1) == 1) pool.timelines.put(&timeline);
}

Result<Timeline> CpuDevice::create_timeline() {
  TimelineState* timeline = nullptr;
  try {
    timeline = pool_.timelines.take();
  } catch (const std::bad_alloc&) {
    return no_memory(sizeof(TimelineState), "a timeline");
  }
  timeline->value.store(0);
  timeline->failed.store(false);
  timeline->error.reset();
  timeline->queue.store(nullptr);
  timeline->references.store(1);
  return Timeline{reinterpret_cast<std::uintptr_t>(timeline)};
}

void CpuDevice::destroy_timeline(Timeline timeline) {
  drop(pool_, *reinterpret_cast<TimelineState*>(timeline.id));
}

Result<std::uint64_t> CpuDevice::query_timeline(Timeline timeline) {
  const auto& state = *reinterpret_cast<const TimelineState*>(timeline.id);
  if (state.failed.load()) return *state.error;
  return state.value.load();
}

Result<void> CpuDevice::wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) {
  const std::uint64_t spin = adaptive_ ? kSpinAdaptive : kSpinBlocking;
  if (mode == WaitFor::any && points.size() > 1) return wait_any(pool_, points, deadline, spin);
  for (const Point& point : points) settle(pool_, resolve(point), deadline, spin);
  // Failures first: one of them is worth more than the news that another point is late.
  std::optional<Error> late;
  for (const Point& point : points) {
    const TimelinePoint state = resolve(point);
    const auto result = outcome(state);
    if (!result) {
      late = wait_timed_out(state.value, state.timeline->value.load());
    } else if (!*result) {
      return *result;
    }
  }
  if (late) return *late;
  return {};
}

}  // namespace collet::backend::cpu
