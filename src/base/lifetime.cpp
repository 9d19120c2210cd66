// Fork and exit: the exit handler waits for what still runs, for a bounded time.

#include "base/lifetime.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "platform/platform.hpp"

namespace collet::base {
namespace {

constexpr auto kExitPatience = std::chrono::seconds(2);

std::atomic<void (*)(Deadline)> exit_work{nullptr};
std::atomic<int> background_tasks{0};
std::atomic<bool> exiting{false};

// How many threads of ours have work in a driver. In the child of a fork none of its parent's.
std::atomic<int>& at_work() {
  static std::atomic<std::uint32_t> counted_in{platform::epoch.load()};
  static std::atomic<int> threads{0};
  std::uint32_t before = counted_in.load();
  if (platform::forked_since(before) && counted_in.compare_exchange_strong(before, platform::epoch.load()))
    threads.store(0);
  return threads;
}

void at_exit() {
  static std::atomic<bool> done{false};
  if (done.exchange(true)) return;
  exiting.store(true);
  const Deadline deadline = Deadline::in(kExitPatience);
  if (const auto work = exit_work.load(); work != nullptr) work(deadline);
  while (background_tasks.load() > 0 && !deadline.passed()) std::this_thread::yield();
  while (at_work().load() > 0 && !deadline.passed()) std::this_thread::yield();
  platform::begin_exit();  // from here on nothing is destroyed
}

Error exiting_error() {
  return Error(ErrorCode::device_lost, Category::runtime,
               "The process is exiting; its devices take no more work.");
}

constexpr auto kLibraryPatience = std::chrono::seconds(30);  // compilers can't be stopped
std::atomic<int> libraries_used{0};
std::atomic<bool> leaving{false};

// A library that another thread has just loaded, or uses for the first time, registered handlers after ours;
// they would run first, under that thread's feet.
void await_libraries() {
  leaving.store(true);
  const Deadline deadline = Deadline::in(kLibraryPatience);
  while (libraries_used.load() > 0 && !deadline.passed()) std::this_thread::yield();
}

// exit() destroys the thread-local objects of its thread before it runs any handler, also those that a driver
// registered after ours: PoCL's compiler does so on a worker thread, when a kernel first runs.
struct BeforeHandlers {
  BeforeHandlers() = default;
  BeforeHandlers(const BeforeHandlers&) = delete;
  BeforeHandlers& operator=(const BeforeHandlers&) = delete;
  ~BeforeHandlers() {
    await_libraries();
    if (opened) at_exit();
  }
  bool opened = false;  // a device, on this thread
};

BeforeHandlers& before_handlers() {
  static thread_local BeforeHandlers before;
  return before;
}

// Static constructors run on the main thread, which may leave everything else to others.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): it does not throw
[[maybe_unused]] const bool prepared = platform::on_main_thread() && (before_handlers(), true);

}  // namespace

HoldExit::HoldExit() {
  libraries_used.fetch_add(1);
  allowed_ = !leaving.load();
}
HoldExit::~HoldExit() { libraries_used.fetch_sub(1); }

Result<void> HoldExit::allowed() const {
  if (allowed_) return {};
  return exiting_error();
}

void set_exit_work(void (*bring_to_rest)(Deadline deadline)) { exit_work.store(bring_to_rest); }

void renew_exit_handler() { std::atexit(at_exit); }

void run_exit_handler_first() {
  if (platform::on_main_thread()) before_handlers().opened = true;
}

Error abandoned_error(std::uint32_t epoch) {
  if (platform::forked_since(epoch)) {
    return Error(ErrorCode::device_lost, Category::runtime,
                 "This process was forked after the device was opened; the driver's threads exist in the "
                 "parent only.")
        .with_hint("Open devices after fork(), or start a new program with exec().");
  }
  return exiting_error();
}

WorkInDriver::WorkInDriver() { at_work().fetch_add(1); }
WorkInDriver::~WorkInDriver() { at_work().fetch_sub(1); }
Result<void> WorkInDriver::allowed() {
  if (!exiting.load()) return {};
  return exiting_error();
}

BackgroundTask::BackgroundTask() { background_tasks.fetch_add(1); }
BackgroundTask::~BackgroundTask() { background_tasks.fetch_sub(1); }

}  // namespace collet::base
