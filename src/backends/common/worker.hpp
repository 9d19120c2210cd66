// A thread that makes all submissions of a device, for APIs whose context belongs to one thread (OpenGL) or
// whose submit blocks (WebGPU): docs/adr/0001.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

#include "backends/common/backoff.hpp"
#include "backends/common/submission_copy.hpp"
#include "backends/common/waiting.hpp"
#include "base/lifetime.hpp"
#include "collet/backend.hpp"
#include "platform/thread.hpp"

namespace collet::backend::common {

// The API behind a worker.
//
// Threads: only the worker's calls it; where can_wait(), one thread at a time.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  // Makes the thread the owner of the context; end() gives it up.
  virtual Result<void> begin() { return {}; }
  virtual void end() {}
  // Gives commands to the driver; may block. Submissions run in the order of the calls, so nothing has to be
  // waited for. On an error nothing of this one runs any more.
  virtual Result<void> issue(std::span<const Command> commands) = 0;
  // How many submissions have ended since begin(), with everything written that Read and Timestamp write. An
  // error where the device is lost. Does not block.
  virtual Result<std::uint64_t> ended() = 0;
  // Whether any thread may call issue(), ended() and wait().
  virtual bool can_wait() const { return false; }
  // Sleeps in the driver until all that was issued has ended, or the device is lost. Only where can_wait().
  virtual void wait() {}
};

// Queues of such a device are all the same one.
//
// Threads: thread-safe.
class Worker {
 public:
  // `name` is the thread's. WaitMode::adaptive: it and those who wait for it look for a moment before they
  // sleep. An error where the system gives no thread, and where begin() fails.
  static Result<std::unique_ptr<Worker>> start(const char* name, std::unique_ptr<Executor> executor,
                                               WaitMode mode = WaitMode::block);
  // Does first what was submitted.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // As the functions of the waist with these names.
  Result<Timeline> create_timeline();
  void destroy_timeline(Timeline timeline);
  Result<std::uint64_t> query_timeline(Timeline timeline);
  Result<void> wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline);
  // Never blocks. An error that the executor finds later fails the timeline.
  Result<void> submit(const Submission& submission);

 private:
  struct Line;  // what Timeline points at
  struct Job {
    SubmissionCopy submission;
    std::optional<Error> error;  // of a timeline that it waits for
  };
  // Given to the driver, or refused: then it has an error.
  struct Issued {
    Line* line = nullptr;
    std::uint64_t value = 0;
    std::uint64_t number = 0;  // of the executor's submissions: when so many have ended, so has this
    std::optional<Error> error;
  };
  using Lock = std::unique_lock<std::mutex>;

  Worker(std::unique_ptr<Executor> executor, WaitMode mode)
      : executor_(std::move(executor)), adaptive_(mode == WaitMode::adaptive) {}
  static Line& line(Timeline timeline) { return *reinterpret_cast<Line*>(timeline.id); }

  void run();
  bool has_work() const { return !queued_.empty() || !issued_.empty(); }
  // How far a wait for them is.
  Result<Waiting> look(std::span<const Point> points, WaitFor mode) const;
  // Waits until something is submitted, or the end.
  void sleep(Lock& lock);
  // Does the thread's work on the caller's, which waits for these points, and so for all that was submitted:
  // a wait costs no change of threads then.
  void lend(Lock& lock, std::span<const Point> points, WaitFor mode);
  bool waits_for_the_last(std::span<const Point> points, WaitFor mode) const;
  // These release the lock while the driver is called.
  template <class Call>
  std::invoke_result_t<const Call&> outside(Lock& lock, const Call& call);
  void issue_one(Lock& lock);
  void publish(Lock& lock);
  std::optional<Error> obstacle(const Job& job) const;
  void fail(Line& failed, const Error& error);
  void fail_all(const Error& error);

  const std::unique_ptr<Executor> executor_;
  const bool adaptive_;
  platform::Thread thread_;
  std::atomic<bool> called_{false};  // since the thread last had nothing to do

  std::mutex mutex_;
  std::condition_variable submitted_;  // the thread waits for it
  std::condition_variable changed_;    // a timeline changed, or the thread began
  // Guarded by mutex_.
  std::deque<std::unique_ptr<Job>> queued_;
  std::deque<Issued> issued_;  // by rising numbers
  std::vector<std::unique_ptr<Job>> spare_;
  std::optional<base::WorkInDriver> held_;  // while issued_ is not empty
  std::uint64_t issues_ = 0;
  std::optional<Result<void>> began_;
  std::optional<Error> lost_;
  bool lent_ = false;  // a thread that waits does the work
  bool busy_ = false;  // the executor is called
  bool stopping_ = false;
};

}  // namespace collet::backend::common
