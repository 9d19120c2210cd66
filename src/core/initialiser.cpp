// The initialiser: one in-order queue, made when it is first needed.

#include "core/initialiser.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace collet::core {
namespace {

constexpr std::uint64_t kPiece = 8 << 20;
constexpr std::uint64_t kRounding = 16;  // of a block's size, and more than any device asks of a copy

}  // namespace

Initialiser::~Initialiser() {
  if (timeline_.id != 0) {
    // Waits for the last fills: nobody else can, once this object is gone.
    const backend::Point last{timeline_, last_};
    (void)device_.wait_timelines({&last, 1}, backend::WaitFor::all, Deadline::in(std::chrono::seconds(10)));
    dead_.emplace_back(queue_, timeline_);
  }
  for (const Waiting& one : waiting_) one.pool->free(one.block);
  for (const auto& [queue, timeline] : dead_) {
    device_.destroy_queue(queue);
    device_.destroy_timeline(timeline);
  }
}

Result<std::uint64_t> Initialiser::submit(std::span<const backend::Command> commands) {
  const std::lock_guard lock(mutex_);
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
  COLLET_CHECK(device_.submit(queue_, {.waits = {}, .commands = commands, .signal = {timeline_, last_ + 1}}));
  return ++last_;
}

Result<std::uint64_t> Initialiser::zero(const memory::Block& block) {
  collect();
  const backend::Slice all{block.memory, block.offset, block.size, backend::Access::write};
  const backend::Command fill{.what = backend::Fill{.to = all, .pattern = 0}, .ordered = false};
  return submit({&fill, 1});
}

Result<void> Initialiser::write(const memory::Block& block, const std::byte* host, std::uint64_t size) {
  return device_.caps().host_commands ? write_from_host(block, host, size) : write_staged(block, host, size);
}

// The last bytes go from memory of our own where the device takes only multiples of more than one.
Result<void> Initialiser::write_from_host(const memory::Block& block, const std::byte* host,
                                          std::uint64_t size) {
  const std::uint64_t rest = size % device_.caps().copy_alignment;
  std::array<std::byte, kRounding> last{};
  std::array<backend::Command, 2> commands;
  std::size_t count = 0;
  const auto add = [&](const std::byte* from, std::uint64_t at, std::uint64_t bytes) {
    const backend::Slice to{block.memory, block.offset + at, bytes, backend::Access::write};
    commands[count++] = {.what = backend::Write{.from = from, .to = to}, .ordered = false};
  };
  if (size != rest) add(host, 0, size - rest);
  if (rest != 0) {
    std::memcpy(last.data(), host + (size - rest), rest);
    add(last.data(), size - rest, device_.caps().copy_alignment);
  }
  COLLET_TRY(value, submit({commands.data(), count}));
  return wait(value);
}

// While one half of the staging memory is copied from, the other is written.
Result<void> Initialiser::write_staged(const memory::Block& block, const std::byte* host,
                                       std::uint64_t size) {
  struct Half {
    explicit Half(memory::Pool& from) : pool(from) {}
    Half(const Half&) = delete;
    Half& operator=(const Half&) = delete;
    ~Half() {
      if (staged.memory.id != 0) pool.free(staged);
    }
    memory::Pool& pool;
    memory::Block staged;
    std::uint64_t copied = 0;  // the point after which it may be written again
  };
  std::array<Half, 2> halves{Half(pool_), Half(pool_)};
  std::uint64_t last = 0;
  Result<void> done;
  for (std::uint64_t at = 0; done && at < size; at += kPiece) {
    Half& half = halves[at / kPiece % 2];
    const std::uint64_t piece = std::min(kPiece, size - at);
    const auto written =
        write_piece(half.staged, half.copied, {block.memory, block.offset + at, piece}, host + at);
    if (!written) {
      done = written.error();
    } else {
      last = half.copied = *written;
    }
  }
  // Also what was submitted before something failed reads the staging memory.
  const Result<void> rested = last == 0 ? Result<void>() : wait(last);
  return done ? rested : done;
}

Result<std::uint64_t> Initialiser::write_piece(memory::Block& staged, std::uint64_t copied,
                                               const backend::Slice& to, const std::byte* host) {
  if (copied != 0) COLLET_CHECK(wait(copied));
  const std::uint64_t rounded = (to.size + kRounding - 1) / kRounding * kRounding;
  if (staged.memory.id == 0) {
    COLLET_TRY(made, pool_.allocate(rounded, backend::Placement::upload, "upload"));
    staged = made;
  }
  std::memcpy(staged.host, host, to.size);
  const backend::Slice from{staged.memory, staged.offset, rounded, backend::Access::read};
  COLLET_CHECK(device_.sync_host_range(from, true));
  const backend::Slice target{to.memory, to.offset, rounded, backend::Access::write};
  const backend::Command copy{.what = backend::Copy{.from = from, .to = target}, .ordered = false};
  return submit({&copy, 1});
}

Result<void> Initialiser::wait(std::uint64_t value) {
  COLLET_TRY(done, point(value));
  auto waited = device_.wait_timelines({&done, 1}, backend::WaitFor::all, kForever);
  if (!waited) broken(done.timeline, waited.error());
  return waited;
}

void Initialiser::free(memory::Pool& pool, const memory::Block& block, std::uint64_t ready) {
  if (reached(ready)) return pool.free(block);
  const std::lock_guard lock(mutex_);
  if (ready <= failed_) return pool.free(block);
  waiting_.push_back({&pool, block, ready});
}

void Initialiser::finish(const memory::Pool& pool) {
  std::uint64_t last = 0;
  {
    const std::lock_guard lock(mutex_);
    for (const Waiting& one : waiting_) {
      if (one.pool == &pool) last = std::max(last, one.ready);
    }
  }
  if (last != 0) (void)wait(last);  // where it failed, broken() has given everything back
  collect();
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
  for (const Waiting& one : waiting_) one.pool->free(one.block);
  waiting_.clear();
}

void Initialiser::collect() {
  for (;;) {
    std::uint64_t next = 0;
    {
      const std::lock_guard lock(mutex_);
      while (!waiting_.empty() && waiting_.front().ready <= reached_.load()) {
        waiting_.front().pool->free(waiting_.front().block);
        waiting_.pop_front();
      }
      if (waiting_.empty()) return;
      next = waiting_.front().ready;
    }
    if (!reached(next)) return;
  }
}

}  // namespace collet::core
