// The initialiser: one in-order queue, made when it is first needed.

#include "core/initialiser.hpp"

#include "core/checked.hpp"

namespace collet::core {

Initialiser::~Initialiser() {
  if (timeline_.id == 0) return;
  // Blocks for the last fills only, which nobody else can wait for any more.
  const backend::Point last = point(last_);
  (void)device_.wait_timelines({&last, 1}, backend::WaitFor::all, Deadline::in(std::chrono::seconds(10)));
  for (const Waiting& one : waiting_) pool_.free(one.block);
  device_.destroy_queue(queue_);
  device_.destroy_timeline(timeline_);
}

Result<std::uint64_t> Initialiser::submit(const backend::Command& command) {
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
  COLLET_CHECK(device_.submit(queue_, {.waits = {}, .commands = {&command, 1}, .signal = point(last_ + 1)}));
  return ++last_;
}

Result<std::uint64_t> Initialiser::zero(const memory::Block& block) {
  const std::lock_guard lock(mutex_);
  collect();
  const backend::Slice all{block.memory, block.offset, block.size, backend::Access::write};
  return submit({.what = backend::Fill{.to = all, .pattern = 0}, .ordered = false});
}

Result<void> Initialiser::write(const memory::Block& block, const std::byte* host, std::uint64_t size) {
  backend::Point done;
  {
    const std::lock_guard lock(mutex_);
    const backend::Slice to{block.memory, block.offset, size, backend::Access::write};
    COLLET_TRY(value, submit({.what = backend::Write{.from = host, .to = to}, .ordered = false}));
    done = point(value);
  }
  COLLET_CHECK(device_.wait_timelines({&done, 1}, backend::WaitFor::all, kForever));
  return {};
}

void Initialiser::free(const memory::Block& block, std::uint64_t ready) {
  if (reached(ready)) return pool_.free(block);
  const std::lock_guard lock(mutex_);
  waiting_.push_back({block, ready});
}

bool Initialiser::query(std::uint64_t ready) {
  auto value = device_.query_timeline(timeline_);
  // A failed fill never becomes ready; who waits for it gets the error from the device.
  if (!value) return false;
  std::uint64_t known = reached_.load(std::memory_order_relaxed);
  while (known < *value && !reached_.compare_exchange_weak(known, *value, std::memory_order_release)) {
  }
  return ready <= *value;
}

void Initialiser::collect() {
  while (!waiting_.empty() && reached(waiting_.front().ready)) {
    pool_.free(waiting_.front().block);
    waiting_.pop_front();
  }
}

}  // namespace collet::core
