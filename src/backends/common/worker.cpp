// The worker: submissions go from `queued_` to `issued_` to their timelines.

#include "backends/common/worker.hpp"

#include <algorithm>

namespace collet::backend::common {
namespace {

// How long WaitMode::adaptive looks before it sleeps.
constexpr std::chrono::microseconds kMoment{100};

// Looks at `over` for a moment, and gives what it says in the end.
template <class Over>
bool spin(const Over& over) {
  for (const auto end = Deadline::Clock::now() + kMoment; !over();) {
    if (Deadline::Clock::now() >= end) return false;
    std::this_thread::yield();  // the driver's workers may need this very core
  }
  return true;
}

// Submissions that the driver has at a time: enough to keep it busy, and few enough for an exit to wait for.
constexpr std::size_t kMostIssued = 64;

}  // namespace

// A timeline. Its fields but the atomic ones are guarded by the worker's mutex.
struct Worker::Line {
  std::atomic<std::uint64_t> reached{0};
  std::atomic<bool> failed{false};  // nothing of it runs any more
  std::optional<Error> error;       // set before `failed`: nothing more of it is issued
};

Result<std::unique_ptr<Worker>> Worker::start(const char* name, std::unique_ptr<Executor> executor,
                                              WaitMode mode) {
  std::unique_ptr<Worker> worker(new Worker(std::move(executor), mode));
  COLLET_TRY(thread, platform::start_thread(name, [&self = *worker] { self.run(); }));
  worker->thread_ = std::move(thread);
  Lock lock(worker->mutex_);
  worker->changed_.wait(lock, [&] { return worker->began_.has_value(); });
  if (!*worker->began_) {
    const Error error = worker->began_->error();
    lock.unlock();
    return error;
  }
  return worker;
}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    called_.store(true, std::memory_order_release);
  }
  submitted_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Worker::run() {
  auto began = executor_->begin();
  Lock lock(mutex_);
  const bool works = began.has_value();
  began_ = std::move(began);
  changed_.notify_all();
  if (!works) return;
  const auto fresh = [&] { return adaptive_ ? Backoff(kForever, kMoment) : Backoff(kForever); };
  for (Backoff backoff = fresh();;) {
    if (lent_) {
      submitted_.wait(lock);
      backoff = fresh();
    } else if (!queued_.empty() && issued_.size() < kMostIssued) {
      issue_one(lock);
      publish(lock);
      backoff = fresh();
    } else if (!issued_.empty()) {
      const std::size_t before = issued_.size();
      publish(lock);
      if (issued_.size() != before) {
        backoff = fresh();
      } else if (const auto pause = backoff.next(); pause.count() != 0) {
        submitted_.wait_for(lock, pause);
      } else {
        outside(lock, [] { std::this_thread::yield(); });  // the driver's workers may need this very core
      }
    } else if (stopping_) {
      break;
    } else {
      sleep(lock);
      backoff = fresh();
    }
  }
  lock.unlock();
  executor_->end();
}

void Worker::sleep(Lock& lock) {
  if (adaptive_) {
    called_.store(false, std::memory_order_relaxed);
    lock.unlock();
    const bool called = spin([&] { return called_.load(std::memory_order_acquire); });
    lock.lock();
    if (called) return;
  }
  if (queued_.empty() && !stopping_) submitted_.wait(lock);
}

// Nobody else calls the executor meanwhile.
template <class Call>
std::invoke_result_t<const Call&> Worker::outside(Lock& lock, const Call& call) {
  struct Back {
    Worker& worker;
    Lock& lock;
    ~Back() {
      lock.lock();
      worker.busy_ = false;
    }
  };
  busy_ = true;
  lock.unlock();
  const Back back{*this, lock};
  return call();
}

bool Worker::waits_for_the_last(std::span<const Point> points, WaitFor mode) const {
  if (!has_work() || (mode == WaitFor::any && points.size() != 1)) return false;
  const Point last = queued_.empty() ? Point{Timeline{reinterpret_cast<std::uintptr_t>(issued_.back().line)},
                                             issued_.back().value}
                                     : queued_.back()->submission.signal();
  return std::ranges::any_of(points, [&](const Point& point) {
    return point.timeline == last.timeline && point.value >= last.value;
  });
}

void Worker::lend(Lock& lock, std::span<const Point> points, WaitFor mode) {
  lent_ = true;
  for (Backoff backoff(kForever, adaptive_ ? kMoment : std::chrono::microseconds(0));
       waits_for_the_last(points, mode);) {
    const std::size_t before = issued_.size();
    const bool issues = !queued_.empty() && issued_.size() < kMostIssued;
    if (issues)
      issue_one(lock);
    else if (backoff.next().count() != 0)
      outside(lock, [&] { executor_->wait(); });
    else
      outside(lock, [] { std::this_thread::yield(); });
    publish(lock);
    if (const auto waiting = look(points, mode); !waiting || waiting->over) break;
    // The driver came back without having done anything: the thread sleeps better.
    if (!issues && issued_.size() == before && backoff.next().count() != 0) break;
  }
  lent_ = false;
  if (has_work() || stopping_) submitted_.notify_one();
}

// The error of a timeline that the job continues or waits for.
std::optional<Error> Worker::obstacle(const Job& job) const {
  if (job.error) return job.error;
  if (const auto& error = line(job.submission.signal().timeline).error) return error;
  for (const Point& point : job.submission.waits) {
    if (const auto& error = line(point.timeline).error) return error;
  }
  return std::nullopt;
}

void Worker::issue_one(Lock& lock) {
  if (!held_) held_.emplace();
  std::unique_ptr<Job> job = std::move(queued_.front());
  queued_.pop_front();
  const Point signal = job->submission.signal();
  Line& signalled = line(signal.timeline);
  std::optional<Error> error = obstacle(*job);
  if (const auto allowed = base::WorkInDriver::allowed(); !error && !allowed) error = allowed.error();
  if (!error) {
    auto done = outside(lock, [&] { return executor_->issue(job->submission.commands()); });
    if (done)
      ++issues_;
    else
      error = done.error();
  }
  // A timeline that is failing already says why once.
  if (!error || !signalled.error) issued_.push_back({&signalled, signal.value, issues_, error});
  if (error && !signalled.error) signalled.error = error;
  spare_.push_back(std::move(job));
}

void Worker::publish(Lock& lock) {
  const auto ended = outside(lock, [&] { return executor_->ended(); });
  if (!ended) {
    fail_all(ended.error());
  } else {
    for (; !issued_.empty() && issued_.front().number <= *ended; issued_.pop_front()) {
      const Issued& front = issued_.front();
      if (front.error)
        fail(*front.line, *front.error);
      else
        front.line->reached.store(front.value, std::memory_order_release);
    }
  }
  if (issued_.empty()) held_.reset();
  changed_.notify_all();
}

// Its owner may destroy it from now on.
void Worker::fail(Line& failed, const Error& error) {
  failed.error = error;
  failed.failed.store(true, std::memory_order_release);
  std::erase_if(queued_,
                [&](const auto& job) { return &line(job->submission.signal().timeline) == &failed; });
  for (const auto& job : queued_) {
    for (const Point& point : job->submission.waits) {
      if (&line(point.timeline) == &failed) job->error = error;
    }
    if (job->error) job->submission.waits.clear();
  }
}

void Worker::fail_all(const Error& error) {
  lost_ = error;
  for (const Issued& one : issued_) fail(*one.line, error);
  issued_.clear();
  while (!queued_.empty()) fail(line(queued_.front()->submission.signal().timeline), error);
}

Result<Timeline> Worker::create_timeline() { return Timeline{reinterpret_cast<std::uintptr_t>(new Line)}; }

void Worker::destroy_timeline(Timeline timeline) {
  const std::lock_guard lock(mutex_);
  // What waits for it was submitted when it had been signalled, so the wait is over.
  for (const auto& job : queued_) {
    std::erase_if(job->submission.waits,
                  [&](const Point& point) { return point.timeline.id == timeline.id; });
  }
  delete &line(timeline);
}

Result<std::uint64_t> Worker::query_timeline(Timeline timeline) {
  Line& asked = line(timeline);
  if (!asked.failed.load(std::memory_order_acquire)) [[likely]]
    return asked.reached.load(std::memory_order_acquire);
  const std::lock_guard lock(mutex_);
  return *asked.error;
}

Result<Waiting> Worker::look(std::span<const Point> points, WaitFor mode) const {
  return look_at(points, mode, [](Timeline timeline) -> Result<std::uint64_t> {
    const Line& asked = line(timeline);
    if (asked.failed) return *asked.error;
    return asked.reached.load(std::memory_order_acquire);
  });
}

Result<void> Worker::wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) {
  // The driver's own waits have no deadline.
  const bool lends = deadline.forever() && executor_->can_wait();
  if (adaptive_ && !lends) {
    const auto reached = [](const Point& point) {
      const Line& asked = line(point.timeline);
      return asked.reached.load(std::memory_order_acquire) >= point.value || asked.failed.load();
    };
    spin([&] {
      return deadline.passed() || (mode == WaitFor::all ? std::ranges::all_of(points, reached)
                                                        : std::ranges::any_of(points, reached));
    });
  }
  for (Lock lock(mutex_);;) {
    // Under the lock, so that no change is missed before the wait.
    COLLET_TRY(waiting, look(points, mode));
    if (waiting.over) return {};
    if (deadline.passed()) return timeout_error(waiting, points.size());
    if (lends && !lent_ && !busy_ && waits_for_the_last(points, mode)) {
      lend(lock, points, mode);
      if (const auto after = look(points, mode); !after || after->over) continue;
    }
    if (deadline.forever())
      changed_.wait(lock);
    else
      changed_.wait_until(lock, deadline.at());
  }
}

Result<void> Worker::submit(const Submission& submission) {
  std::unique_ptr<Job> job;
  {
    const std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      job = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  if (!job) job = std::make_unique<Job>();
  job->error.reset();
  job->submission.assign(submission);
  {
    const std::lock_guard lock(mutex_);
    if (lost_) return *lost_;
    if (const auto error = obstacle(*job)) return *error;
    queued_.push_back(std::move(job));
    called_.store(true, std::memory_order_release);
  }
  submitted_.notify_one();
  return {};
}

}  // namespace collet::backend::common
