// Streams and events: queues of work, each with a thread that works it off.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "abi.hpp"
#include "handles.hpp"
#include "numbers.hpp"

namespace collet::cuda_double {

class Context;

// One recording of an event. Threads: thread-safe.
class Record {
 public:
  void finish();
  void wait();
  bool is_done();
  std::chrono::steady_clock::time_point time();

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::chrono::steady_clock::time_point time_;
};

// Threads: thread-safe.
class Event {
 public:
  Event(std::shared_ptr<Context> of, bool timed) : context(std::move(of)), has_time(timed) {}
  // The last recording; nullptr: none.
  std::shared_ptr<Record> record();
  void set_record(std::shared_ptr<Record> record);

  const std::shared_ptr<Context> context;
  const bool has_time;

 private:
  std::mutex mutex_;
  std::shared_ptr<Record> record_;
};

// Threads: thread-safe. Work is done one after the other, on a thread that ends when the last reference to
// the stream is gone and the queue is empty.
class Stream {
 public:
  // Makes the thread.
  static std::shared_ptr<Stream> start(std::shared_ptr<Context> context, bool waits_for_default);
  ~Stream();
  Stream(const Stream&) = delete;

  // `work` returns a Result, which becomes the context's error. It is skipped once the context has one, but
  // for what is `always` done.
  void push(std::function<int()> work, bool always = false);
  // Everything pushed before is done then.
  std::shared_ptr<Record> mark();
  bool is_idle();
  void wait_until_idle() { mark()->wait(); }
  // Keeps a destroyed stream among retired() until its work is done.
  static void retire(const std::shared_ptr<Stream>& stream);
  static std::vector<std::shared_ptr<Stream>> retired();
  // Host functions may not call the driver.
  static bool in_host_function();
  static void call_host_function(void (*function)(void*), void* data);

  const std::shared_ptr<Context> context;
  const bool waits_for_default;  // on the default stream, and it on this one

 private:
  struct Queue;
  Stream(std::shared_ptr<Context> of, bool waits);
  static void work_off(const std::shared_ptr<Queue>& queue, const std::weak_ptr<Context>& context);

  std::shared_ptr<Queue> queue_;
};

using Streams = Handles<StreamHandle, Stream>;
using Events = Handles<EventHandle, Event>;

}  // namespace collet::cuda_double
