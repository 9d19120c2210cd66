// Starting a thread, the same on every system.

#include "platform/thread.hpp"

#include <atomic>
#include <exception>
#include <utility>

#include "platform/platform.hpp"

namespace collet::platform {
namespace {

constexpr std::int64_t kUnlimited = -1;
std::atomic<std::int64_t> allowed{kUnlimited};

bool allow_one() {
  std::int64_t left = allowed.load();
  while (left > 0 && !allowed.compare_exchange_weak(left, left - 1)) {
  }
  return left != 0;
}

Error no_thread(const char* name, const std::string& words) {
  return Error(ErrorCode::unavailable, Category::runtime, Cause::init_failed,
               std::string("The system starts no thread (") + name + "): " + words + "." + thread_limits())
      .with_hint(
          "Raise the limit on this user's processes (ulimit -u) or the container's (pids), or end other "
          "threads.");
}

}  // namespace

void Thread::join() {
  if (thread_.joinable()) thread_.join();
  if (ended_) ended_->wait();
  ended_.reset();
}

void Thread::detach() {
  if (thread_.joinable()) thread_.detach();
  ended_.reset();
}

Result<Thread> start_thread(const char* name, std::function<void()> work) {
  if (!allow_one()) return no_thread(name, "a test allows no more");
  try {
    Thread started;
    if (forked_since(0)) started.ended_ = std::make_shared<std::latch>(1);
    started.thread_ = std::thread([name, work = std::move(work), ended = started.ended_]() mutable {
      name_thread(name);
      std::exchange(work, nullptr)();
      if (ended) ended->count_down();
    });
    started.id_ = started.thread_.get_id();
    if (started.ended_) started.thread_.detach();
    return started;
  } catch (const std::exception& failure) {  // std::system_error, or std::bad_alloc
    return no_thread(name, failure.what());
  }
}

void limit_threads(std::optional<std::uint32_t> more) { allowed.store(more ? *more : kUnlimited); }

}  // namespace collet::platform
