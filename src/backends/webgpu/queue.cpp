// WebGPU: submissions on the worker's thread, and when they have ended.

#include <deque>

#include "backends/common/backoff.hpp"
#include "backends/webgpu/recorder.hpp"

namespace collet::backend::webgpu {
namespace {

class Submitter final : public common::Executor {
 public:
  explicit Submitter(const Native& native) : native_(native), recorder_(native) {}

  Result<void> begin() override { return recorder_.prepare(); }

  // The library calls back into submissions that run.
  void end() override {
    for (common::Backoff backoff(kForever); !running_.empty() && ended();) backoff.pause();
    for (auto& left : running_) {  // of a device that is lost
      [[maybe_unused]] const InFlight* kept = left.release();
    }
  }

  Result<void> issue(std::span<const Command> commands) override {
    COLLET_CHECK(native_.reports.check());
    auto flight = std::make_unique<InFlight>();
    COLLET_CHECK(recorder_.submit(commands, *flight));
    running_.push_back(std::move(flight));
    return {};
  }

  bool can_wait() const override { return native_.can_wait(); }
  void wait() override { native_.wait(); }

  Result<std::uint64_t> ended() override {
    native_.poll();
    for (; !running_.empty() && running_.front()->ended(); ++ended_) {
      const std::unique_ptr<InFlight> flight = std::move(running_.front());
      running_.pop_front();
      if (auto done = recorder_.finish(*flight); !done) return native_.reports.note(done.error());
    }
    COLLET_CHECK(native_.reports.check());
    return ended_;
  }

 private:
  const Native& native_;
  Recorder recorder_;
  std::deque<std::unique_ptr<InFlight>> running_;
  std::uint64_t ended_ = 0;
};

}  // namespace

std::unique_ptr<common::Executor> make_executor(const Native& native) {
  return std::make_unique<Submitter>(native);
}

}  // namespace collet::backend::webgpu
