// Null: submit() does the copies on the calling thread, so a timeline has always reached its last signal.

#include <atomic>
#include <cstring>

#include "backends/null/device.hpp"

namespace collet::backend::null {
namespace {

using Counter = std::atomic<std::uint64_t>;

Counter& counter(Timeline timeline) { return *reinterpret_cast<Counter*>(timeline.id); }

std::uint64_t now() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Deadline::Clock::now().time_since_epoch())
          .count());
}

struct Run {
  void operator()(const Copy& copy) const { std::memcpy(address(copy.to), address(copy.from), copy.to.size); }
  void operator()(const Fill& fill) const {
    for (std::uint64_t at = 0; at < fill.to.size; at += 4)
      std::memcpy(address(fill.to) + at, &fill.pattern, 4);
  }
  void operator()(const Write& write) const { std::memcpy(address(write.to), write.from, write.to.size); }
  void operator()(const Read& read) const { std::memcpy(read.to, address(read.from), read.from.size); }
  void operator()(const Dispatch&) const {}  // Caps::executes is false
  void operator()(const Timestamp& timestamp) const { *timestamp.slot = now(); }
};

}  // namespace

Result<Timeline> NullDevice::create_timeline() {
  return Timeline{reinterpret_cast<std::uintptr_t>(new Counter(0))};
}

void NullDevice::destroy_timeline(Timeline timeline) { delete &counter(timeline); }

Result<std::uint64_t> NullDevice::query_timeline(Timeline timeline) {
  return counter(timeline).load(std::memory_order_acquire);
}

Result<void> NullDevice::wait_timelines(std::span<const Point>, WaitFor, Deadline) { return {}; }

Result<Queue> NullDevice::create_queue(QueueKind, std::string_view) { return Queue{1}; }

void NullDevice::destroy_queue(Queue) {}

Result<void> NullDevice::submit(Queue, const Submission& submission) {
  for (const Command& command : submission.commands) std::visit(Run{}, command.what);
  counter(submission.signal.timeline).store(submission.signal.value, std::memory_order_release);
  return {};
}

Result<ClockSample> NullDevice::sample_clock() { return ClockSample{.device_ns = now(), .host_ns = now()}; }

}  // namespace collet::backend::null
