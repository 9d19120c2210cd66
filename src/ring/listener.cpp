// Replies become calls.

#include "ring/listener.hpp"

#include "base/log.hpp"
#include "core/thrown.hpp"

namespace collet::detail {

RingListener::~RingListener() { stop(); }

Result<void> RingListener::start() {
  const std::lock_guard lock(mutex_);
  if (thread_.joinable()) return {};
  COLLET_TRY(thread, platform::start_thread("collet-replies", [this] { run(); }));
  thread_ = std::move(thread);
  return {};
}

void RingListener::listen(std::uint64_t number, RingCall call) {
  {
    const std::lock_guard lock(mutex_);
    calls_.emplace(number, std::move(call));
  }
  changed_.notify_one();
}

void RingListener::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void RingListener::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !calls_.empty(); });
    if (calls_.empty()) return;
    const auto first = calls_.begin();
    const auto number = static_cast<std::uint32_t>(first->first);
    const RingCall call = std::move(first->second);
    calls_.erase(first);
    lock.unlock();
    const auto reply = take_(number);
    try {
      call(reply);
    } catch (...) {
      base::log(LogLevel::error, "ring", "A function that got a reply of " + ring_ + " " + core::thrown());
    }
    lock.lock();
  }
}

}  // namespace collet::detail
