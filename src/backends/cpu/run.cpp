// CPU: who runs a queue, and in what order.

#include "backends/cpu/run.hpp"

namespace collet::backend::cpu {
namespace {

bool claim(Pool& pool, QueueState& queue) {
  if (queue.pending.load() == 0 || queue.claimed.load() || queue.claimed.exchange(true)) return false;
  if (queue.pending.load() != 0) return true;
  release(pool, queue);
  return false;
}

// True when every wait of the record is met or one has failed; false when the queue was parked, and is no
// longer ours.
bool meet_waits(Pool& pool, QueueState& queue, Record& record) {
  while (record.waits_met < record.waits.size()) {
    const TimelinePoint& wait = record.waits[record.waits_met];
    if (!reached(*wait.timeline, wait.value)) {
      if (!wait.timeline->failed.load()) {
        if (park(*wait.timeline, wait.value, queue)) return false;
        continue;  // it came in between
      }
      if (!record.error) record.error = wait.timeline->error->during("waiting for work that failed");
    }
    drop(pool, *wait.timeline);
    ++record.waits_met;
  }
  return true;
}

// False when the queue is no longer ours: parked, or carried on by another thread.
bool advance(Runner& me, QueueState& queue, Record& record) {
  if (!meet_waits(me.pool(), queue, record)) return false;
  if (record.signal.timeline->failed.load()) return true;  // skipped: the timeline keeps its first error
  while (!record.error && record.steps_done < record.steps.size()) {
    if (!run_step(me, queue, record)) return false;
  }
  return true;
}

// Signals the record and takes it off the queue. True where more is pending.
bool finish(Runner& me, QueueState& queue, Record& record) {
  Pool& pool = me.pool();
  // Whoever sees the signal may submit at once, and need not wake another worker while we go and look.
  if (queue.pending.load() == 1) me.become_searching();
  const TimelinePoint done = record.signal;
  if (record.error) {
    fail(pool, *done.timeline, *record.error);
  } else if (!done.timeline->failed.load()) {
    signal(pool, *done.timeline, done.value);
  }
  drop(pool, *done.timeline);
  queue.head.store(&record, std::memory_order_release);
  return queue.pending.fetch_sub(1) > 1;
}

void drain(Runner& me, QueueState& queue, const TimelinePoint* until) {
  for (;;) {
    Record& record = *queue.head.load(std::memory_order_relaxed)->next;
    if (!advance(me, queue, record)) return;
    const bool more = finish(me, queue, record);
    const bool enough = until != nullptr && settled(*until->timeline, until->value);
    const bool fair = !me.worker() || !me.pool().others_listed();
    if (!more || enough || !fair) return release(me.pool(), queue);
    me.become_busy();
  }
}

}  // namespace

void release(Pool& pool, QueueState& queue) {
  queue.claimed.store(false);
  if (queue.pending.load() != 0) return pool.list(queue);
  // The claim stays with a queue on the shelf, so nobody runs it there.
  if (queue.retired.load() && !queue.claimed.exchange(true)) {
    // Still retired? It may have been reused before we got the claim.
    if (queue.retired.load() && queue.pending.load() == 0) {
      pool.queues.put(&queue);
    } else {
      release(pool, queue);
    }
  }
}

bool look(Runner& me, QueueState& queue, const TimelinePoint* until) {
  if (claim(me.pool(), queue)) {
    me.become_busy();
    drain(me, queue, until);
  } else if (queue.job.join(me.pool().threads())) {
    if (queue.job.room(me.pool().threads()) != 0) me.pool().list(queue, false);
    me.become_busy();
    if (run_parts(me, queue)) drain(me, queue, until);
  } else {
    return false;
  }
  me.become_searching();
  return true;
}

}  // namespace collet::backend::cpu
