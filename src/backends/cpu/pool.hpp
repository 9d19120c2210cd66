// The threads of the CPU backend and the list of queues that want one.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/cpu/spin.hpp"
#include "backends/cpu/state.hpp"
#include "platform/thread.hpp"

namespace collet::backend::cpu {

inline constexpr std::uint32_t kMaxSharedBytes = 1 << 20;

// Workgroup memory of one thread.
struct alignas(kCacheLine) Scratch {
  std::byte bytes[kMaxSharedBytes];
};

class Pool;

// A thread while it runs queues: a worker, or a waiter that lends itself.
//
// Threads: one at a time.
class Runner {
 public:
  Runner(Pool& pool, bool worker) : pool_(pool), worker_(worker) {}
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner();

  Pool& pool() { return pool_; }
  bool worker() const { return worker_; }
  // A worker is searching whenever it is bound to look at the ready list before it runs anything more, and
  // busy otherwise.
  void become_busy();
  void become_searching();
  // Throws std::bad_alloc.
  std::byte* shared();

 private:
  Pool& pool_;
  const bool worker_;
  bool searching_ = true;
  Scratch* scratch_ = nullptr;
};

// Threads: thread-safe.
class Pool {
 public:
  // `bound`: the processors that threads are bound to, in turn; none is where it is empty.
  Pool(std::uint32_t threads, std::uint32_t processors, std::vector<std::uint32_t> bound);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();  // joins the workers, which are idle by contract

  // Where the system gives fewer threads than wanted: an error, or with `fewer_will_do` and at least one of
  // them a sentence that says so. "" where all are there.
  Result<std::string> start(bool fewer_will_do);

  // Threads that may share one dispatch.
  std::uint32_t threads() const { return threads_.load(std::memory_order_relaxed); }
  std::uint32_t processors() const { return processors_; }

  // Asks for somebody to look at the queue: call it after making the queue worth a look, with a sequentially
  // consistent write. `wake` may be false only for a participant in the queue's running step.
  void list(QueueState& queue, bool wake = true);
  // Wakes up to `count` sleeping workers, besides those already searching.
  void call_workers(std::uint32_t count);
  // Other queues wait, and nobody is free to take them.
  bool crowded() const { return listed_.load() != 0 && searching_.load() == 0 && sleepers_.load() == 0; }
  bool others_listed() const { return listed_.load() != 0; }

  Shelf<QueueState> queues;
  Shelf<TimelineState> timelines;
  Shelf<Scratch> scratches;

  // Sleepers that wait for any of several timelines, and the futex that they sleep on.
  alignas(kCacheLine) std::atomic<std::uint32_t> any_sleepers{0};
  std::atomic<std::uint32_t> any_epoch{0};
  std::atomic<std::uint32_t> spinning_waiters{0};

 private:
  friend class Runner;

  void place(std::uint32_t number);
  void work(std::uint32_t number);
  QueueState* pop();
  void sleep();
  std::uint32_t take_sleepers(std::uint32_t most);
  void wake(std::uint32_t count);

  std::atomic<std::uint32_t> threads_;  // changes while start() runs only
  const std::uint32_t processors_;
  const std::uint32_t spin_limit_;
  const std::vector<std::uint32_t> bound_;
  std::atomic<std::uint32_t> placed_{0};   // threads that are bound, or could not be
  std::atomic<std::int64_t> refused_{-1};  // a processor that one could not be bound to
  std::vector<platform::Thread> workers_;
  std::atomic<bool> stop_{false};

  alignas(kCacheLine) std::atomic<std::uint32_t> listed_{0};
  SpinLock lock_;  // guards the ready list
  QueueState* ready_first_ = nullptr;
  QueueState* ready_last_ = nullptr;

  alignas(kCacheLine) std::atomic<std::uint32_t> searching_{0};
  std::atomic<std::uint32_t> sleepers_{0};
  std::atomic<std::uint32_t> tickets_{0};
};

}  // namespace collet::backend::cpu
