// Runs the blocks of a launch side by side.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "block.hpp"
#include "fault.hpp"

namespace collet::cuda_double {

// Counted over all launches of the process.
u64 instructions_done();

// The thread that calls run() and at least one more take blocks from the grid. Each of them has up to 32
// blocks under way and runs them in turns, so that blocks may wait for each other.
// Threads: run() once.
class Launch : public std::enable_shared_from_this<Launch> {
 public:
  explicit Launch(Grid grid) : grid_(std::move(grid)) {}

  // Returns when all blocks ended, or why one was stopped. Ends soon after `cancelled` became true.
  std::optional<Fault> run(const std::atomic<bool>& cancelled);
  // Takes blocks until there are no more.
  void help();

 private:
  void work();
  void stop(const Fault& fault);

  Grid grid_;
  u64 total_ = 0;
  std::atomic<u64> next_{0};
  std::atomic<bool> stopped_{false};
  const std::atomic<bool>* cancelled_ = nullptr;
  std::mutex mutex_;
  std::condition_variable left_;
  int helpers_ = 0;
  bool is_over_ = false;
  std::optional<Fault> fault_;
};

}  // namespace collet::cuda_double
