// Fills new buffers on a queue of the device's own, where the host can't reach their memory.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>

#include "collet/backend.hpp"
#include "memory/pool.hpp"

namespace collet::core {

// Threads: thread-safe.
class Initialiser {
 public:
  Initialiser(backend::Device& device, memory::Pool& pool) : device_(device), pool_(pool) {}
  ~Initialiser();
  Initialiser(const Initialiser&) = delete;
  Initialiser& operator=(const Initialiser&) = delete;

  // Starts to zero `block`; returns the point after which it is zero.
  Result<std::uint64_t> zero(const memory::Block& block);
  // Copies `size` bytes from `host` to `block` and waits for it.
  Result<void> write(const memory::Block& block, const std::byte* host, std::uint64_t size);

  // Frees `block` once `ready` is reached.
  void free(const memory::Block& block, std::uint64_t ready);

  // True when `ready` is reached. 0 always is.
  bool reached(std::uint64_t ready) {
    return ready <= reached_.load(std::memory_order_acquire) || query(ready);
  }
  backend::Point point(std::uint64_t ready) const { return {timeline_, ready}; }

 private:
  Result<std::uint64_t> submit(const backend::Command& command);  // under the lock
  bool query(std::uint64_t ready);
  void collect();  // under the lock

  backend::Device& device_;
  memory::Pool& pool_;
  std::mutex mutex_;
  backend::Queue queue_;
  backend::Timeline timeline_;
  std::uint64_t last_ = 0;
  std::atomic<std::uint64_t> reached_{0};
  struct Waiting {
    memory::Block block;
    std::uint64_t ready;
  };
  std::deque<Waiting> waiting_;
};

}  // namespace collet::core
