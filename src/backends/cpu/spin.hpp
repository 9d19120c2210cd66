// The short waits of the CPU backend: a lock for a handful of instructions, a polite pause, a clock, and the
// shelf that objects return to instead of being freed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "collet/deadline.hpp"
#include "platform/pause.hpp"

namespace collet::backend::cpu {

inline constexpr std::size_t kCacheLine = 64;

using platform::relax;

// Deadline::Clock in nanoseconds; the device's clock.
inline std::uint64_t now_ns() noexcept {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Deadline::Clock::now().time_since_epoch())
          .count());
}

// The word that platform::futex_wait and futex_wake take.
inline const std::uint32_t* futex(const std::atomic<std::uint32_t>& word) noexcept {
  static_assert(sizeof word == sizeof(std::uint32_t) && std::atomic<std::uint32_t>::is_always_lock_free);
  return reinterpret_cast<const std::uint32_t*>(&word);
}

// Held for a few pointer writes only; a holder that lost its core is waited for by giving up ours.
class SpinLock {
 public:
  void lock() noexcept {
    while (held_.exchange(true, std::memory_order_acquire)) {
      for (int turn = 0; held_.load(std::memory_order_relaxed); ++turn) {
        if (turn < 128) {
          relax();
        } else {
          std::this_thread::yield();
        }
      }
    }
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

// Owns objects that other threads may still glance at after they went out of use: put() keeps them for the
// next take(), and only the shelf's own end frees them.
//
// Threads: thread-safe.
template <class T>
class Shelf {
 public:
  // Throws std::bad_alloc.
  T* take() {
    const std::lock_guard guard(lock_);
    if (!idle_.empty()) {
      T* object = idle_.back();
      idle_.pop_back();
      return object;
    }
    if (all_.size() == all_.capacity()) {
      const std::size_t room = all_.size() * 2 + 16;
      idle_.reserve(room);  // first, so that put() never allocates
      all_.reserve(room);
    }
    all_.push_back(std::make_unique_for_overwrite<T>());
    return all_.back().get();
  }
  void put(T* object) noexcept {
    const std::lock_guard guard(lock_);
    idle_.push_back(object);
  }

 private:
  std::mutex lock_;
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> idle_;
};

}  // namespace collet::backend::cpu
