// CPU: steps, and how threads share one: the first to find no part left shuts the gate, the last one out goes
// on.

#include <algorithm>
#include <cstring>

#include "backends/cpu/errors.hpp"
#include "backends/cpu/run.hpp"
#include "backends/cpu/walk.hpp"

namespace collet::backend::cpu {

void Job::open(Record& its_record, const Step& its_step, std::uint64_t first, std::uint64_t total,
               std::uint64_t chunk) {
  record = &its_record;
  step = &its_step;
  error.reset();
  total_ = total;
  chunk_ = chunk;
  failed_.store(false, std::memory_order_relaxed);
  next_.store(first, std::memory_order_relaxed);
  gate_.store(kOpen | 1);
}

bool Job::join(std::uint32_t limit) {
  std::uint32_t gate = gate_.load();
  do {
    if ((gate & kOpen) == 0 || (gate & ~kOpen) >= limit) return false;
  } while (!gate_.compare_exchange_weak(gate, gate + 1));
  return true;
}

bool Job::leave() {
  std::uint32_t gate = gate_.load(std::memory_order_relaxed);
  while (!gate_.compare_exchange_weak(gate, (gate & ~kOpen) - 1)) {
  }
  return (gate & ~kOpen) == 1;
}

bool Job::leave_early() {
  std::uint32_t gate = gate_.load(std::memory_order_relaxed);
  do {
    if ((gate & kOpen) == 0) return false;
  } while (!gate_.compare_exchange_weak(gate, gate - 1));
  return true;
}

std::uint32_t Job::room(std::uint32_t limit) const {
  const std::uint32_t gate = gate_.load();
  const std::uint64_t next = next_.load(std::memory_order_relaxed);
  if ((gate & kOpen) == 0 || (gate & ~kOpen) >= limit || next >= total_) return 0;
  const std::uint64_t parts = (total_ - next + chunk_ - 1) / chunk_;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(parts, limit - (gate & ~kOpen)));
}

void Job::fail(Error its_error) {
  next_.store(total_, std::memory_order_relaxed);
  if (!failed_.exchange(true)) error = std::move(its_error);
}

bool Job::take(std::uint64_t& begin, std::uint64_t& end) {
  begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
  end = std::min(begin + chunk_, total_);
  return begin < total_;
}

namespace {

constexpr std::uint64_t kSplitBytes = 1 << 20;  // copies from here on are shared
constexpr std::uint64_t kPartBytes = 256 << 10;
constexpr std::uint64_t kAlone = 2'000;         // ns: a dispatch that takes less is not worth sharing
constexpr std::uint64_t kFirstBatch = 500;      // ns of such a dispatch before its time is looked at
constexpr std::uint64_t kWorthAWake = 100'000;  // ns: nor one that takes less worth a system call
constexpr std::uint64_t kMoment = 2'000;        // ns in which those who are up join a dispatch
constexpr std::uint64_t kSlice = 1'000'000;     // ns that a worker stays with one dispatch while queues wait
constexpr std::uint64_t kMaxChunk = 1024;       // groups
constexpr std::uint64_t kMaxChunkTime = 100'000;  // ns
constexpr std::uint64_t kMinChunkTime = 500;      // ns: for less, threads would wait for the counter of parts
constexpr std::uint64_t kBlindChunk = 16;         // groups of a kernel whose cost is unknown

using Failure = std::optional<Error>;

std::uint64_t group_total(const Step& step) {
  return std::uint64_t{step.groups[0]} * step.groups[1] * step.groups[2];
}

// As many groups from where `from` stands, which then stands behind them.
Failure run_groups(Runner& me, const Record& record, const Step& step, Walk& from, std::uint64_t groups) {
  const KernelState& kernel = *step.kernel;
  HostGroup group{.count = step.groups, .size = kernel.group_size, .extent = step.extent};
  group.buffers = record.buffers.data() + step.first_buffer;
  group.buffer_sizes = record.sizes.data() + step.first_buffer;
  group.constants = record.constants.data() + step.first_constant;
  try {
    if (kernel.shared_bytes != 0) group.shared = me.shared();
  } catch (const std::bad_alloc&) {
    return no_memory(kMaxSharedBytes, "workgroup memory");
  }
  try {
    Walk walk = from;  // in registers: nobody else sees it
    while (groups != 0) {
      group.id = walk.id();
      std::uint32_t count = 1;
      if (kernel.row != nullptr) {
        count = static_cast<std::uint32_t>(std::min<std::uint64_t>(groups, walk.left()));
        kernel.row(kernel.closure, group, count);
      } else {
        kernel.function(kernel.closure, group);
      }
      groups -= count;
      walk.go(count);
    }
    from = walk;
  } catch (...) {
    return kernel_threw(kernel, group);
  }
  return {};
}

void fill(std::byte* to, std::uint64_t size, std::uint32_t pattern) {
  if (pattern == (pattern & 0xff) * 0x01010101u) {
    std::memset(to, static_cast<int>(pattern & 0xff), size);
  } else {
    std::fill_n(reinterpret_cast<std::uint32_t*>(to), size / 4, pattern);
  }
}

Failure run_part(Runner& me, const Record& record, const Step& step, std::uint64_t begin, std::uint64_t end) {
  switch (step.kind) {
    case Step::Kind::dispatch: {
      Walk walk(step.groups, step.kernel->columns, begin);
      return run_groups(me, record, step, walk, end - begin);
    }
    case Step::Kind::copy: std::memcpy(step.to + begin, step.from + begin, end - begin); break;
    case Step::Kind::fill: fill(step.to + begin, end - begin, step.pattern); break;
    case Step::Kind::timestamp: *step.slot = now_ns(); break;
  }
  return {};
}

// Remembers what a group cost. An estimate of 0 would mean "unknown".
void note_cost(const Step& step, std::uint64_t elapsed, std::uint64_t groups) {
  if (step.kind != Step::Kind::dispatch || groups == 0) return;
  step.kernel->group_cost.store(std::max<std::uint64_t>(1, elapsed * 16 / groups), std::memory_order_relaxed);
}

// Workers are woken for those who do not come by themselves: a system call takes longer than a thread that
// searches, or is about to wait for this queue, takes to join.
void call_helpers(Pool& pool, const Job& job) {
  const std::uint64_t start = now_ns();
  std::uint32_t missing = job.room(pool.threads());
  while (missing != 0 && now_ns() - start < kMoment) {
    relax();
    missing = job.room(pool.threads());
  }
  if (missing != 0) pool.call_workers(missing);
}

// Parts from `first` on, with the help of whoever comes.
bool share(Runner& me, QueueState& queue, Record& record, const Step& step, std::uint64_t first,
           std::uint64_t total, std::uint64_t chunk, bool long_enough) {
  Pool& pool = me.pool();
  queue.job.open(record, step, first, total, chunk);
  pool.list(queue, false);
  if (long_enough) call_helpers(pool, queue.job);
  return run_parts(me, queue);
}

bool run_dispatch(Runner& me, QueueState& queue, Record& record, const Step& step) {
  const std::uint64_t total = group_total(step);
  const std::uint32_t threads = me.pool().threads();
  Walk walk(step.groups, step.kernel->columns);
  if (total == 1 || threads == 1) {
    record.error = run_groups(me, record, step, walk, total);
    ++record.steps_done;
    return true;
  }

  const std::uint64_t cost = step.kernel->group_cost.load(std::memory_order_relaxed);
  const double estimate = static_cast<double>(total) * static_cast<double>(cost) / 16;
  std::uint64_t first = 0;
  if (cost != 0 && estimate < kAlone) {
    // Steps, so that a wrong estimate is noticed before much was done alone; the clock is read after each.
    const std::uint64_t start = now_ns();
    std::uint64_t elapsed = 0;
    std::uint64_t batch = std::max<std::uint64_t>(16, kFirstBatch * 16 / cost);
    for (; first < total && elapsed < kAlone && !record.error; batch *= 4) {
      const std::uint64_t some = std::min(batch, total - first);
      record.error = run_groups(me, record, step, walk, some);
      first += some;
      elapsed = now_ns() - start;
    }
    note_cost(step, elapsed, first);
    if (first == total || record.error) {
      ++record.steps_done;
      return true;
    }
  }

  const std::uint64_t most = cost == 0 ? kBlindChunk : std::min(kMaxChunk, kMaxChunkTime * 16 / cost);
  const std::uint64_t least = cost == 0 ? 1 : 1 + kMinChunkTime * 16 / cost;
  const std::uint64_t chunk = std::min((total - first) / (std::uint64_t{threads} * 32), most);
  return share(me, queue, record, step, first, total, std::max(chunk, least),
               cost == 0 || estimate > kWorthAWake);
}

}  // namespace

bool run_step(Runner& me, QueueState& queue, Record& record) {
  const Step& step = record.steps[record.steps_done];
  if (step.kind == Step::Kind::dispatch) return run_dispatch(me, queue, record, step);
  if (step.size >= kSplitBytes && me.pool().threads() > 1) {
    return share(me, queue, record, step, 0, step.size, kPartBytes, true);
  }
  record.error = run_part(me, record, step, 0, step.size);
  ++record.steps_done;
  return true;
}

bool run_parts(Runner& me, QueueState& queue) {
  Job& job = queue.job;
  const std::uint64_t start = now_ns();
  std::uint64_t groups = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  while (job.take(begin, end)) {
    if (Failure failure = run_part(me, *job.record, *job.step, begin, end)) job.fail(*std::move(failure));
    groups += end - begin;
    if (me.worker() && me.pool().crowded() && now_ns() - start > kSlice && job.leave_early()) {
      me.pool().list(queue);
      return false;
    }
  }
  note_cost(*job.step, now_ns() - start, groups);
  Record& record = *job.record;
  if (!job.leave()) return false;
  record.error = std::move(job.error);
  ++record.steps_done;
  return true;
}

}  // namespace collet::backend::cpu
