// Work that is done once: threads that want the same wait for each other, all others go on.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <utility>

namespace collet::core {

// Threads: thread-safe.
template <class Key>
class Turns {
 public:
  // Nobody else has a turn with this key while it lives. Its constructor waits for that.
  class Turn {
   public:
    Turn(Turns& turns, Key key) : turns_(turns), key_(std::move(key)) {
      std::unique_lock lock(turns_.mutex_);
      turns_.ended_.wait(lock, [&] { return turns_.taken_.insert(key_).second; });
    }
    ~Turn() {
      {
        const std::lock_guard lock(turns_.mutex_);
        turns_.taken_.erase(key_);
      }
      turns_.ended_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Turns& turns_;
    const Key key_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::set<Key> taken_;
};

}  // namespace collet::core
