// OpenGL: submissions on the worker's thread, and when they have ended.

#include <deque>

#include "backends/common/backoff.hpp"
#include "backends/opengl/commands.hpp"

namespace collet::backend::opengl {
namespace {

class Submitter final : public common::Executor {
 public:
  Submitter(const Native& native, std::unique_ptr<Context> context)
      : context_(std::move(context)), commands_(native) {}

  Result<void> begin() override {
    COLLET_CHECK(context_->take());
    return commands_.prepare();
  }

  void end() override {
    for (common::Backoff backoff(kForever); !running_.empty() && ended();) backoff.pause();
    commands_.give_back();
    context_->leave();
  }

  Result<void> issue(std::span<const Command> commands) override {
    InFlight flight;
    COLLET_CHECK(commands_.give(commands, flight));
    running_.push_back(std::move(flight));
    return {};
  }

  Result<std::uint64_t> ended() override {
    while (!running_.empty()) {
      COLLET_TRY(over, commands_.ended(running_.front()));
      if (!over) break;
      running_.pop_front();
      ++ended_;
    }
    return ended_;
  }

 private:
  const std::unique_ptr<Context> context_;
  Commands commands_;
  std::deque<InFlight> running_;
  std::uint64_t ended_ = 0;
};

}  // namespace

std::unique_ptr<common::Executor> make_executor(const Native& native, std::unique_ptr<Context> context) {
  return std::make_unique<Submitter>(native, std::move(context));
}

}  // namespace collet::backend::opengl
