// A sign of life on standard error.

#include "progress.hpp"

#include <chrono>
#include <cstdio>

#include "platform/platform.hpp"
#include "platform/thread.hpp"

namespace collet::tool {

Progress::Progress(std::string doing) : doing_(std::move(doing)) {
  if (!platform::errors_are_seen()) return;
  if (auto thread = platform::start_thread("collet-progress", [this] { run(); }))
    thread_ = *std::move(thread);
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Progress::run() {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, 300ms, [this] { return ended_; })) return;
  do {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "\r%s ... %.1f s", doing_.c_str(), passed.count());
    std::fflush(stderr);
  } while (!changed_.wait_for(lock, 100ms, [this] { return ended_; }));
  std::fprintf(stderr, "\r\x1b[K");
}

}  // namespace collet::tool
