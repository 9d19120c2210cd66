// Replies become messages of another ring.

#include "ring/channel.hpp"

#include "base/log.hpp"
#include "ring/ring_state.hpp"

namespace collet::detail {

RingChannelState::~RingChannelState() { (void)stop(); }

Result<void> RingChannelState::start() {
  COLLET_TRY(thread, platform::start_thread("collet-channel", [this] { run(); }));
  thread_ = std::move(thread);
  return {};
}

bool RingChannelState::is_beyond_reach() const { return from_.is_beyond_reach() || to_.is_beyond_reach(); }
Error RingChannelState::failure() const { return from_.failure(); }

void RingChannelState::run() {
  while (!stopping_.load()) {
    const auto received = from_.receive_soon(reply_.data());
    if (received && *received) {
      if (!pass_on()) return;
    } else if (!received && from_.has_ended()) {
      const std::lock_guard lock(mutex_);
      error_ = received.error();
      return;
    } else if (!received) {
      errors_.fetch_add(1);
      base::log(LogLevel::warn, "ring",
                "A channel passes on no reply of a handler that failed: " + received.error().message());
    }
  }
}

bool RingChannelState::pass_on() {
  using namespace std::chrono_literals;
  for (;;) {
    const auto number = to_.send(reply_.data(), ring::Wanted::next_reply, Deadline::in(50ms));
    if (number) {
      sent_.fetch_add(1);
      return true;
    }
    if (number.error().code() == ErrorCode::timeout && !stopping_.load()) continue;
    const std::lock_guard lock(mutex_);
    error_ = number.error();
    return false;
  }
}

Result<RingChannelStats> RingChannelState::stop() {
  stopping_ = true;
  from_.wake_receiver();
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(mutex_);
  if (error_)
    return error_->during("passing on replies, of which " + std::to_string(sent_.load()) + " were sent");
  return stats();
}

Result<RingChannelStats> stop_channel(RingChannelState* channel) {
  if (channel != nullptr && channel->is_beyond_reach()) return channel->failure();
  if (channel != nullptr) return channel->stop();
  return Error(ErrorCode::invalid_argument, Category::runtime, "The RingChannel was moved from.");
}

void CloseChannel::operator()(RingChannelState* channel) const {
  if (!channel->is_beyond_reach()) delete channel;
}

Result<OwnedChannel> open_channel(RingState* from, RingState* to, std::uint32_t reply_bytes) {
  if (from == nullptr || to == nullptr) {
    return Error(ErrorCode::invalid_argument, Category::runtime, "The Ring was moved from.")
        .with_hint("Use the Ring that it was moved to.");
  }
  OwnedChannel channel(new RingChannelState(*from, *to, reply_bytes));
  COLLET_CHECK(channel->start());
  return channel;
}

}  // namespace collet::detail
