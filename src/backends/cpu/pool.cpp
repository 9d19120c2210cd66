// CPU: worker threads, how they find work, and how they sleep and wake.
//
// The ready list holds queues that deserve a look; an entry may be stale, a look then finds nothing. Nothing
// is lost, because every hand-over is "write, then read what the other side writes", both sequentially
// consistent:
//
//   make a queue worth a look   write pending, claimed or the job's gate; then read listed (list() does it)
//   look at a queue             pop it, write listed = false; then read pending, claimed and the gate
//   submit to a claimed queue   write pending; then read claimed: if set, the claimer looks again, no list()
//   give up a claim             write claimed = false; then read pending, and list() the queue if there is
//   more list()                      write listed_ (the length); then read searching_, and wake a sleeper if
//   it is 0 stop searching              write searching_ - 1, to run or to sleep; then read listed_: a runner
//   wakes
//                               another worker if there is more, a would-be sleeper stays up
//
// So with work on the list there is a searching worker, or one being woken, or none is free. A waker takes a
// sleeper off sleepers_ and adds it to searching_ before the system call, so later submissions need none;
// tickets_ is the semaphore that lets it through. Queues are never freed and every field is re-read after a
// claim or a join by compare-and-swap, so a reused queue is at worst looked at in vain.

#include "backends/cpu/pool.hpp"

#include <algorithm>

#include "backends/cpu/run.hpp"
#include "platform/platform.hpp"

namespace collet::backend::cpu {
namespace {

constexpr std::uint64_t kSpin = 500'000;     // ns without work before a worker sleeps
constexpr std::uint64_t kSpinExtra = 5'000;  // the same for one more worker than there are cores to spare
// Pauses between two looks at the list, about a microsecond; and after a look at a queue whose work somebody
// else had done. Who submits and waits at once mostly runs the work itself, and a worker that looked all the
// time would take the cache lines of the queue away from it.
constexpr std::uint32_t kPauses = 16;
constexpr std::uint32_t kPausesInVain = 64;

}  // namespace

Runner::~Runner() {
  if (scratch_ != nullptr) pool_.scratches.put(scratch_);
}

void Runner::become_busy() {
  if (!worker_ || !searching_) return;
  searching_ = false;
  pool_.searching_.fetch_sub(1);
  if (pool_.listed_.load() != 0 && pool_.searching_.load() == 0) pool_.wake(1);
}

void Runner::become_searching() {
  if (!worker_ || searching_) return;
  searching_ = true;
  pool_.searching_.fetch_add(1);
}

std::byte* Runner::shared() {
  if (scratch_ == nullptr) scratch_ = pool_.scratches.take();
  return scratch_->bytes;
}

Pool::Pool(std::uint32_t threads, std::uint32_t processors, std::vector<std::uint32_t> bound)
    : threads_(threads),
      processors_(processors),
      spin_limit_(std::min(threads, processors - 1)),
      bound_(std::move(bound)) {}

Result<std::string> Pool::start(bool fewer_will_do) {
  const std::uint32_t wanted = threads();
  searching_.store(wanted);
  workers_.reserve(wanted);
  for (std::uint32_t i = 0; i < wanted; ++i) {
    auto worker = platform::start_thread("collet-cpu", [this, i] { work(i); });
    if (worker) {
      workers_.push_back(*std::move(worker));
      continue;
    }
    const std::string missing = "The cpu backend has " + std::to_string(i) + " of " + std::to_string(wanted) +
                                " worker threads. " + worker.error().message();
    if (i == 0 || !fewer_will_do) {
      return Error(ErrorCode::unavailable, Category::initialisation, Cause::device_open_failed, missing)
          .with_hint(worker.error().hint());
    }
    threads_.store(i, std::memory_order_relaxed);
    searching_.fetch_sub(wanted - i);
    return missing;
  }
  if (bound_.empty()) return std::string();
  for (std::uint32_t placed = 0; placed != threads(); placed = placed_.load()) placed_.wait(placed);
  if (refused_.load() < 0) return std::string();
  return Error(ErrorCode::invalid_argument, Category::initialisation, Cause::device_open_failed,
               "OpenOptions::cpu_processors names processor " + std::to_string(refused_.load()) +
                   ", and the system binds no thread of this process to it. It may use " +
                   std::to_string(processors_) + ".");
}

void Pool::place(std::uint32_t number) {
  if (bound_.empty()) return;
  const std::uint32_t processor = bound_[number % bound_.size()];
  if (!platform::bind_thread(processor)) refused_.store(processor);
  placed_.fetch_add(1);
  placed_.notify_one();
}

Pool::~Pool() {
  stop_.store(true);
  wake(threads());
  for (platform::Thread& worker : workers_) worker.join();
}

void Pool::list(QueueState& queue, bool wake_sleeper) {
  if (!queue.listed.load() && !queue.listed.exchange(true)) {
    const std::lock_guard guard(lock_);
    queue.next_ready = nullptr;
    (ready_last_ == nullptr ? ready_first_ : ready_last_->next_ready) = &queue;
    ready_last_ = &queue;
    listed_.fetch_add(1);
  }
  // Also where it was listed already: perhaps by a call that woke nobody.
  if (wake_sleeper && searching_.load() == 0) wake(1);
}

QueueState* Pool::pop() {
  if (listed_.load() == 0) return nullptr;
  QueueState* queue = nullptr;
  {
    const std::lock_guard guard(lock_);
    queue = ready_first_;
    if (queue == nullptr) return nullptr;
    ready_first_ = queue->next_ready;
    if (ready_first_ == nullptr) ready_last_ = nullptr;
    listed_.fetch_sub(1);
  }
  queue->listed.store(false);
  return queue;
}

void Pool::call_workers(std::uint32_t count) {
  const std::uint32_t up = searching_.load();
  if (count > up) wake(count - up);
}

std::uint32_t Pool::take_sleepers(std::uint32_t most) {
  std::uint32_t asleep = sleepers_.load();
  while (asleep != 0 && !sleepers_.compare_exchange_weak(asleep, asleep - std::min(asleep, most))) {
  }
  return std::min(asleep, most);
}

void Pool::wake(std::uint32_t count) {
  const std::uint32_t woken = take_sleepers(count);
  if (woken == 0) return;
  searching_.fetch_add(woken);
  tickets_.fetch_add(woken);
  platform::futex_wake(futex(tickets_), woken);
}

void Pool::sleep() {
  sleepers_.fetch_add(1);
  searching_.fetch_sub(1);
  // Staying up is a matter of taking ourselves off the sleepers, unless a waker did: then its ticket comes.
  if ((listed_.load() != 0 || stop_.load()) && take_sleepers(1) == 1) {
    searching_.fetch_add(1);
    return;
  }
  for (;;) {
    std::uint32_t tickets = tickets_.load();
    while (tickets != 0) {
      if (tickets_.compare_exchange_weak(tickets, tickets - 1)) return;
    }
    platform::futex_wait(futex(tickets_), 0, -1);
  }
}

void Pool::work(std::uint32_t number) {
  place(number);
  Runner me(*this, true);
  std::uint64_t idle_since = now_ns();
  while (!stop_.load(std::memory_order_acquire)) {
    QueueState* queue = pop();
    if (queue != nullptr && look(me, *queue, nullptr)) {
      idle_since = 0;
      continue;
    }
    for (std::uint32_t i = queue == nullptr ? kPauses : kPausesInVain; i != 0; --i) relax();
    const std::uint64_t now = now_ns();
    if (idle_since == 0) idle_since = now;
    // Who runs needs its core too: a spinner beside it would take half of it away.
    const std::uint64_t patience = threads() - sleepers_.load() > spin_limit_ ? kSpinExtra : kSpin;
    if (now - idle_since >= patience || spin_limit_ == 0) {
      sleep();
      idle_since = 0;
    }
  }
}

}  // namespace collet::backend::cpu
