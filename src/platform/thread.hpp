// The one place where Collet starts threads: a system that gives none is an Error and no exception.
#pragma once

#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "collet/result.hpp"

namespace collet::platform {

// What std::thread is, with one difference. In the child of a fork() a driver of the parent's may have an
// exit handler that joins its own threads, which exist in the parent only; the system gives their ids to the
// child's new threads, and the handler would wait for one of these. So there the thread can't be joined by
// its id, and join() waits for it in another way.
//
// Threads: one at a time. It is joined or detached before it is destroyed.
class Thread {
 public:
  Thread() = default;

  bool joinable() const { return thread_.joinable() || ended_ != nullptr; }
  bool is_current() const { return id_ == std::this_thread::get_id(); }
  void join();
  void detach();

 private:
  friend Result<Thread> start_thread(const char* name, std::function<void()> work);
  std::thread thread_;
  std::shared_ptr<std::latch> ended_;  // in the child of a fork only
  std::thread::id id_;
};

// A thread that runs `work`, named `name` for debuggers (at most 15 characters arrive). The error has the
// system's words, the limits that are known, and what to do; `work` was not run then, and is gone.
Result<Thread> start_thread(const char* name, std::function<void()> work);

// The limits on threads that the system tells, as a sentence that begins with a space; "" where it tells
// none.
std::string thread_limits();

// The stack of a thread that somebody else starts in this process without asking for another size.
std::uint64_t thread_stack_bytes();

// For tests: this many more threads can be started in this process, then none. Nothing takes the limit away.
void limit_threads(std::optional<std::uint32_t> more);

}  // namespace collet::platform
