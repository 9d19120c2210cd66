// Streams and events.

#include "stream.hpp"

#include <thread>

#include "context.hpp"

namespace collet::cuda_double {
namespace {

thread_local bool calls_host_function = false;

struct RetiredHandle;
using Retired = Handles<RetiredHandle, Stream>;

}  // namespace

void Record::finish() {
  const std::lock_guard lock(mutex_);
  is_done_ = true;
  time_ = std::chrono::steady_clock::now();
  done_.notify_all();
}

void Record::wait() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return is_done_; });
}

bool Record::is_done() {
  const std::lock_guard lock(mutex_);
  return is_done_;
}

std::chrono::steady_clock::time_point Record::time() {
  const std::lock_guard lock(mutex_);
  return time_;
}

std::shared_ptr<Record> Event::record() {
  const std::lock_guard lock(mutex_);
  return record_;
}

void Event::set_record(std::shared_ptr<Record> record) {
  const std::lock_guard lock(mutex_);
  record_ = std::move(record);
}

struct Stream::Queue {
  struct Item {
    std::function<int()> work;  // or
    std::shared_ptr<Record> record;
    bool always = false;
  };
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Item> items;
  bool is_working = false, is_closed = false;
};

Stream::Stream(std::shared_ptr<Context> of, bool waits)
    : context(std::move(of)), waits_for_default(waits), queue_(std::make_shared<Queue>()) {}

std::shared_ptr<Stream> Stream::start(std::shared_ptr<Context> context, bool waits_for_default) {
  std::shared_ptr<Stream> stream(new Stream(std::move(context), waits_for_default));
  std::thread([queue = stream->queue_, of = std::weak_ptr(stream->context)] {
    work_off(queue, of);
  }).detach();
  return stream;
}

Stream::~Stream() {
  const std::lock_guard lock(queue_->mutex);
  queue_->is_closed = true;
  queue_->wake.notify_all();
}

void Stream::work_off(const std::shared_ptr<Queue>& queue, const std::weak_ptr<Context>& of) {
  for (;;) {
    Queue::Item item;
    {
      std::unique_lock lock(queue->mutex);
      queue->is_working = false;
      queue->wake.wait(lock, [&] { return !queue->items.empty() || queue->is_closed; });
      if (queue->items.empty()) return;
      item = std::move(queue->items.front());
      queue->items.pop_front();
      if (item.record != nullptr) {
        // Under the lock: who saw it also sees that the stream is idle.
        item.record->finish();
        continue;
      }
      queue->is_working = true;
    }
    const std::shared_ptr<Context> context = of.lock();
    const bool is_sick = context == nullptr || context->error() != kSuccess;
    if (is_sick && !item.always) continue;
    const int result = item.work();
    if (result != kSuccess && context != nullptr) context->fail(result);
  }
}

void Stream::push(std::function<int()> work, bool always) {
  const std::lock_guard lock(queue_->mutex);
  queue_->items.push_back({std::move(work), nullptr, always});
  queue_->wake.notify_all();
}

std::shared_ptr<Record> Stream::mark() {
  auto record = std::make_shared<Record>();
  const std::lock_guard lock(queue_->mutex);
  queue_->items.push_back({nullptr, record, true});
  queue_->wake.notify_all();
  return record;
}

bool Stream::is_idle() {
  const std::lock_guard lock(queue_->mutex);
  return queue_->items.empty() && !queue_->is_working;
}

void Stream::retire(const std::shared_ptr<Stream>& stream) {
  auto* handle = Retired::instance().add(stream);
  stream->push(
      [handle] {
        Retired::instance().remove(handle);
        return static_cast<int>(kSuccess);
      },
      true);
}

std::vector<std::shared_ptr<Stream>> Stream::retired() { return Retired::instance().all(); }

bool Stream::in_host_function() { return calls_host_function; }

void Stream::call_host_function(void (*function)(void*), void* data) {
  calls_host_function = true;
  function(data);
  calls_host_function = false;
}

}  // namespace collet::cuda_double
