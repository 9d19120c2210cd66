// The worker: submissions go from `queued_` to `issued_` to their timelines.

#include "backends/common/worker.hpp"

#include <algorithm>

#include "backends/common/waiting.hpp"
#include "base/lifetime.hpp"

namespace collet::backend::common {
namespace {

// Looks at `over` for a moment, and gives what it says in the end.
template <class Over>
bool spin(const Over& over) {
  constexpr std::chrono::microseconds kMoment{100};
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
  std::optional<base::WorkInDriver> held;
  for (Backoff backoff(kForever);;) {
    if (issued_.empty()) held.reset();
    if (!queued_.empty() && issued_.size() < kMostIssued) {
      if (!held) held.emplace();
      issue_one(lock);
      publish(lock);
      backoff = Backoff(kForever);
    } else if (!issued_.empty()) {
      const std::size_t before = issued_.size();
      publish(lock);
      if (issued_.size() != before) {
        backoff = Backoff(kForever);
      } else if (const auto pause = backoff.next(); pause.count() != 0) {
        submitted_.wait_for(lock, pause);
      } else {
        lock.unlock();
        std::this_thread::yield();  // the driver's workers may need this very core
        lock.lock();
      }
    } else if (stopping_) {
      break;
    } else {
      sleep(lock);
      backoff = Backoff(kForever);
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
  std::unique_ptr<Job> job = std::move(queued_.front());
  queued_.pop_front();
  const Point signal = job->submission.signal();
  Line& signalled = line(signal.timeline);
  std::optional<Error> error = obstacle(*job);
  if (const auto allowed = base::WorkInDriver::allowed(); !error && !allowed) error = allowed.error();
  if (!error) {
    lock.unlock();
    auto done = executor_->issue(job->submission.commands());
    lock.lock();
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
  lock.unlock();
  const auto ended = executor_->ended();
  lock.lock();
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

Result<void> Worker::wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) {
  if (adaptive_) {
    const auto reached = [](const Point& point) {
      const Line& asked = line(point.timeline);
      return asked.reached.load(std::memory_order_acquire) >= point.value || asked.failed.load();
    };
    spin([&] {
      return deadline.passed() || (mode == WaitFor::all ? std::ranges::all_of(points, reached)
                                                        : std::ranges::any_of(points, reached));
    });
  }
  for (;;) {
    Lock lock(mutex_);
    // Under the lock, so that no change is missed before the wait.
    COLLET_TRY(waiting, look_at(points, mode, [](Timeline timeline) -> Result<std::uint64_t> {
                 const Line& asked = line(timeline);
                 if (asked.failed) return *asked.error;
                 return asked.reached.load(std::memory_order_acquire);
               }));
    if (waiting.over) return {};
    if (deadline.passed()) return timeout_error(waiting, points.size());
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
