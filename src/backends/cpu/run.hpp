// Running queues: claiming one, going through its records, sharing a step between threads.
#pragma once

#include "backends/cpu/pool.hpp"
#include "backends/cpu/state.hpp"

namespace collet::backend::cpu {

// Does what the queue needs of another thread: runs it, or joins its running step. `until`, where given, ends
// that after the submission that reaches it. False where there was nothing to do.
bool look(Runner& me, QueueState& queue, const TimelinePoint* until);

// Gives up a claim.
void release(Pool& pool, QueueState& queue);

// Runs the record's next step, alone or shared, and counts it as done. False where another thread goes on
// with the queue.
bool run_step(Runner& me, QueueState& queue, Record& record);
// Takes parts of the queue's running step. True where this thread, the last one out, goes on with the queue.
bool run_parts(Runner& me, QueueState& queue);

inline bool reached(const TimelineState& timeline, std::uint64_t value) {
  return timeline.value.load() >= value;
}
// There is nothing more to wait for.
inline bool settled(const TimelineState& timeline, std::uint64_t value) {
  return reached(timeline, value) || timeline.failed.load();
}
// Both wake whoever waits. The caller holds a reference.
void signal(Pool& pool, TimelineState& timeline, std::uint64_t value);
void fail(Pool& pool, TimelineState& timeline, const Error& error);
// Leaves the claimed queue with the timeline, which lists it when it reaches `value` or fails. False where
// that already happened; the caller then still holds the claim.
bool park(TimelineState& timeline, std::uint64_t value, QueueState& queue);
void drop(Pool& pool, TimelineState& timeline);

}  // namespace collet::backend::cpu
