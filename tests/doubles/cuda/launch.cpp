// Runs the blocks of a launch side by side.

#include "launch.hpp"

#include <algorithm>
#include <deque>
#include <thread>

namespace collet::cuda_double {
namespace {

constexpr std::size_t kUnderWay = 32;
std::atomic<u64> instructions{0};

// Threads that help whoever runs a launch. Leaked: they may outlive main().
class Crew {
 public:
  static Crew& instance() {
    static auto* crew = new Crew;
    return *crew;
  }

  std::size_t size() const { return size_; }

  void ask(const std::shared_ptr<Launch>& launch) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(launch);
    wake_.notify_one();
  }

 private:
  Crew() : size_(std::clamp(std::thread::hardware_concurrency(), 2U, 8U) - 1) {
    for (std::size_t i = 0; i < size_; ++i) {
      std::thread([this] {
        for (;;) take()->help();
      }).detach();
    }
  }

  std::shared_ptr<Launch> take() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return !asked_.empty(); });
    std::shared_ptr<Launch> launch = std::move(asked_.front());
    asked_.pop_front();
    return launch;
  }

  std::size_t size_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Launch>> asked_;
};

}  // namespace

u64 instructions_done() { return instructions.load(); }

std::optional<Fault> Launch::run(const std::atomic<bool>& cancelled) {
  cancelled_ = &cancelled;
  total_ = u64{grid_.blocks[0]} * grid_.blocks[1] * grid_.blocks[2];
  const u64 helpers = std::min<u64>(Crew::instance().size(), total_ - 1);
  for (u64 i = 0; i < helpers; ++i) Crew::instance().ask(shared_from_this());
  work();
  std::unique_lock lock(mutex_);
  is_over_ = true;
  left_.wait(lock, [this] { return helpers_ == 0; });
  return fault_;
}

void Launch::help() {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_) return;
    ++helpers_;
  }
  work();
  const std::lock_guard lock(mutex_);
  --helpers_;
  left_.notify_all();
}

void Launch::stop(const Fault& fault) {
  const std::lock_guard lock(mutex_);
  if (!fault_) fault_ = fault;
  stopped_ = true;
}

void Launch::work() {
  std::deque<std::unique_ptr<Block>> mine;
  u64 done = 0;
  while (!stopped_.load(std::memory_order_relaxed)) {
    if (cancelled_->load(std::memory_order_relaxed)) break;
    try {
      if (mine.size() < kUnderWay && next_.load(std::memory_order_relaxed) < total_) {
        const u64 number = next_++;
        if (number < total_) mine.push_front(std::make_unique<Block>(grid_, number));
      }
      if (mine.empty()) break;
      done += mine.front()->run();
    } catch (Fault& fault) {
      fault.text += " In " + (mine.empty() ? grid_.kernel->name : mine.front()->describe()) + ".";
      stop(fault);
      break;
    }
    // A block that takes its time may be waiting for one that has not begun: that one is next.
    if (mine.front()->is_finished()) {
      mine.pop_front();
    } else {
      std::rotate(mine.begin(), mine.begin() + 1, mine.end());
    }
  }
  instructions += done;
}

}  // namespace collet::cuda_double
