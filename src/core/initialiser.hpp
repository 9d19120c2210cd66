// Fills new buffers on one queue of the device's own, where the host can't reach their memory.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <span>

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

  // Gives `block` back to its pool once `ready` is reached.
  void free(memory::Pool& pool, const memory::Block& block, std::uint64_t ready);
  // Waits for what is still to be given back to `pool`, and gives it back.
  void finish(const memory::Pool& pool);

  // Frees what was waiting and is reached by now.
  void collect();

  // True when `ready` is reached. 0 always is.
  bool reached(std::uint64_t ready) { return known_reached(ready) || query(ready); }
  // The same without asking the driver: false where nobody has asked yet.
  bool known_reached(std::uint64_t ready) const { return ready <= reached_.load(std::memory_order_acquire); }
  // The point to wait for, or the error where the fill has failed.
  Result<backend::Point> point(std::uint64_t ready);

 private:
  Result<std::uint64_t> submit(std::span<const backend::Command> commands);
  Result<void> wait(std::uint64_t value);
  Result<void> write_from_host(const memory::Block& block, const std::byte* host, std::uint64_t size);
  Result<void> write_staged(const memory::Block& block, const std::byte* host, std::uint64_t size);
  // Copies by way of `staged`, which it allocates at first, after the value `copied` was reached. Gives the
  // value that is reached when the copy is done.
  Result<std::uint64_t> write_piece(memory::Block& staged, std::uint64_t copied, const backend::Slice& to,
                                    const std::byte* host);
  bool query(std::uint64_t ready);
  // The timeline has failed, with all that is under way on it: the next fill starts on a new one.
  void broken(backend::Timeline timeline, const Error& error);

  backend::Device& device_;
  memory::Pool& pool_;  // staging memory comes from it
  std::mutex mutex_;
  backend::Queue queue_;
  backend::Timeline timeline_;
  std::uint64_t last_ = 0;
  std::uint64_t failed_ = 0;      // fills up to here that were not reached have failed
  std::optional<Error> failure_;  // why
  std::vector<std::pair<backend::Queue, backend::Timeline>> dead_;  // others may still look at them
  std::atomic<std::uint64_t> reached_{0};
  struct Waiting {
    memory::Pool* pool;
    memory::Block block;
    std::uint64_t ready;
  };
  std::deque<Waiting> waiting_;
};

}  // namespace collet::core
