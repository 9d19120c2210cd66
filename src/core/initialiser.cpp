// The initialiser: one in-order queue, made when it is first needed.

#include "core/initialiser.hpp"

#include "base/checked.hpp"

namespace collet::core {

Initialiser::~Initialiser() {
  if (timeline_.id != 0) {
    // Blocks for the last fills only, which nobody else can wait for any more.
    const backend::Point last{timeline_, last_};
    (void)device_.wait_timelines({&last, 1}, backend::WaitFor::all, Deadline::in(std::chrono::seconds(10)));
    dead_.emplace_back(queue_, timeline_);
  }
  for (const Waiting& one : waiting_) pool_.free(one.block);
  for (const auto& [queue, timeline] : dead_) {
    device_.destroy_queue(queue);
    device_.destroy_timeline(timeline);
  }
}

Result<std::uint64_t> Initialiser::submit_locked(const backend::Command& command) {
  if (timeline_.id == 0) {
    COLLET_TRY(queue, device_.create_queue(backend::QueueKind::compute, "initialiser"));
    auto timeline = device_.create_timeline();
    if (!timeline) {
      device_.destroy_queue(queue);
      return timeline.error();
    }
    queue_ = queue;
    timeline_ = *timeline;
  }
  COLLET_CHECK(
      device_.submit(queue_, {.waits = {}, .commands = {&command, 1}, .signal = {timeline_, last_ + 1}}));
  return ++last_;
}

Result<std::uint64_t> Initialiser::zero(const memory::Block& block) {
  collect();
  const std::lock_guard lock(mutex_);
  const backend::Slice all{block.memory, block.offset, block.size, backend::Access::write};
  return submit_locked({.what = backend::Fill{.to = all, .pattern = 0}, .ordered = false});
}

Result<void> Initialiser::write(const memory::Block& block, const std::byte* host, std::uint64_t size) {
  backend::Point done;
  {
    const std::lock_guard lock(mutex_);
    const backend::Slice to{block.memory, block.offset, size, backend::Access::write};
    COLLET_TRY(value, submit_locked({.what = backend::Write{.from = host, .to = to}, .ordered = false}));
    done = {timeline_, value};
  }
  auto waited = device_.wait_timelines({&done, 1}, backend::WaitFor::all, kForever);
  if (!waited) broken(done.timeline, waited.error());
  return waited;
}

void Initialiser::free(const memory::Block& block, std::uint64_t ready) {
  if (reached(ready)) return pool_.free(block);
  const std::lock_guard lock(mutex_);
  if (ready <= failed_) return pool_.free(block);
  waiting_.push_back({block, ready});
}

Result<backend::Point> Initialiser::point(std::uint64_t ready) {
  const std::lock_guard lock(mutex_);
  if (failure_ && ready <= failed_ && ready > reached_.load()) return *failure_;
  return backend::Point{timeline_, ready};
}

bool Initialiser::query(std::uint64_t ready) {
  backend::Timeline timeline;
  {
    const std::lock_guard lock(mutex_);
    timeline = timeline_;
    if (timeline.id == 0 || ready <= failed_) return ready <= reached_.load();
  }
  auto value = device_.query_timeline(timeline);
  if (!value) {
    broken(timeline, value.error());
    return false;
  }
  std::uint64_t known = reached_.load(std::memory_order_relaxed);
  while (known < *value && !reached_.compare_exchange_weak(known, *value, std::memory_order_release)) {
  }
  return ready <= *value;
}

void Initialiser::broken(backend::Timeline timeline, const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!(timeline == timeline_)) return;  // another thread was first
  failed_ = last_;
  failure_ = error.during("zeroing a new buffer");
  dead_.emplace_back(queue_, timeline_);
  queue_ = {};
  timeline_ = {};
  // Nothing of a failed timeline runs any more.
  for (const Waiting& one : waiting_) pool_.free(one.block);
  waiting_.clear();
}

void Initialiser::collect() {
  for (;;) {
    std::uint64_t next = 0;
    {
      const std::lock_guard lock(mutex_);
      while (!waiting_.empty() && waiting_.front().ready <= reached_.load()) {
        pool_.free(waiting_.front().block);
        waiting_.pop_front();
      }
      if (waiting_.empty()) return;
      next = waiting_.front().ready;
    }
    if (!reached(next)) return;
  }
}

}  // namespace collet::core
