// Opening a ring: its mode, its memory, and the functions behind the public handle.

#include "collet/ring.hpp"

#include <algorithm>
#include <bit>

#include "core/buffer_state.hpp"
#include "core/device_state.hpp"
#include "drivers/quirks.hpp"
#include "ring/ring_state.hpp"

namespace collet {

std::string_view name_of(RingMode mode) {
  switch (mode) {
    case RingMode::resident: return "resident";
    case RingMode::windowed: return "windowed";
    case RingMode::relaunch: return "relaunch";
  }
  return "";
}

namespace detail {
namespace {

Error wrong(std::string message) {
  return Error(ErrorCode::invalid_argument, Category::runtime, std::move(message));
}
Error moved() { return wrong("The Ring was moved from.").with_hint("Use the Ring that it was moved to."); }

struct Choice {
  RingMode mode;
  std::string reason;
};

Choice best_mode(const backend::Caps& caps) {
  if (!caps.concurrent)
    return {RingMode::relaunch, "A kernel of this device does not see what the host writes while it runs."};
  if (caps.exclusive)
    return {RingMode::windowed, "While one kernel runs on this device, those of other streams wait."};
  return {RingMode::resident, "The kernel stays as long as messages come."};
}

// The rounds of its loop until a kernel leaves. Where a driver ends loops, it counts those of the handler,
// too: they have three quarters.
std::uint32_t most_rounds(const DeviceInfo& info) {
  std::uint32_t most = ~0u;
  for (const drivers::Quirk* quirk : drivers::quirks_of(info)) {
    if (quirk->loop_rounds != 0) most = std::min(most, quirk->loop_rounds / 4);
  }
  return most;
}

constexpr std::uint32_t kMostCapacity = 1u << 20;

}  // namespace

Result<RingPlan> plan_ring(const Device& device, const std::string& kernel, const RingOptions& options,
                           std::uint32_t message_bytes, std::uint32_t reply_bytes) {
  const Ref<DeviceState>& state = device.state();
  COLLET_CHECK(state->usable());
  if (!std::has_single_bit(options.capacity) || options.capacity < ring::kLeastCapacity ||
      options.capacity > kMostCapacity) {
    return wrong("A ring has a power of two of slots, " + std::to_string(ring::kLeastCapacity) + " to " +
                 std::to_string(kMostCapacity) + ", not " + std::to_string(options.capacity) + ".");
  }
  if (!state->caps.executes)
    return Error(ErrorCode::unsupported, Category::runtime, state->facts->name + " runs no kernels.");
  const Choice best = best_mode(state->caps);
  if (options.mode && *options.mode < best.mode) {
    return Error(ErrorCode::unsupported, Category::runtime,
                 "A ring on " + state->facts->name + " can't be " + std::string(name_of(*options.mode)) +
                     ": " + best.reason);
  }
  RingPlan plan{.kernel = kernel,
                .options = options,
                .mode = options.mode.value_or(best.mode),
                .reason = best.reason,
                .shift = static_cast<std::uint32_t>(std::countr_zero(options.capacity)),
                .message_bytes = message_bytes,
                .reply_bytes = reply_bytes,
                .rounds = most_rounds(device.info()),
                .control = {},
                .messages = {},
                .replies = {}};
  const auto placement =
      plan.mode == RingMode::relaunch ? backend::Placement::device : backend::Placement::shared;
  const auto memory = [&](std::uint64_t bytes, const char* what) {
    return make_buffer(state, bytes, placement, {.label = "ring " + std::string(what)});
  };
  COLLET_TRY(control, memory((ring::kStates + options.capacity) * std::uint64_t{4}, "control"));
  COLLET_TRY(messages, memory(std::uint64_t{options.capacity} * message_bytes, "messages"));
  COLLET_TRY(replies, memory(std::uint64_t{options.capacity} * reply_bytes, "replies"));
  if (plan.mode != RingMode::relaunch &&
      (control->block.host == nullptr || messages->block.host == nullptr || replies->block.host == nullptr)) {
    return Error(ErrorCode::internal, Category::runtime,
                 state->facts->name + " gave no pointer to memory that host and kernels share.");
  }
  plan.control = control;
  plan.messages = messages;
  plan.replies = replies;
  return plan;
}

Result<void> build_ring_kernel(const Device& device, KernelState& kernel) {
  COLLET_TRY(compiled, device.state()->compiled(kernel));
  if (compiled->program->built.item_cost != 0) device.state()->improve(kernel);
  return {};
}

Ref<BufferState> kept(const Range& range) { return Ref(const_cast<BufferState*>(range.buffer)); }

void CloseRing::operator()(RingState* ring) const {
  if (!ring->is_beyond_reach()) delete ring;
}

Result<OwnedRing> open_ring(const Device& device, RingPlan plan, RingDriver driver) {
  OwnedRing ring(new RingState(device, std::move(plan), std::move(driver)));
  COLLET_CHECK(ring->start());
  return ring;
}

namespace {

// A child process must not touch what its parent shares with a kernel.
Result<void> reachable(const RingState* ring) {
  if (ring == nullptr) return moved();
  return ring->is_beyond_reach() ? Result<void>(ring->failure()) : Result<void>();
}

}  // namespace

Result<bool> ring_try_send(RingState* ring, const void* message, ring::Wanted wanted) {
  COLLET_CHECK(reachable(ring));
  std::uint32_t number = 0;
  return ring->try_send(message, wanted, number);
}
Result<std::uint32_t> ring_send(RingState* ring, const void* message, ring::Wanted wanted,
                                Deadline deadline) {
  COLLET_CHECK(reachable(ring));
  return ring->send(message, wanted, deadline);
}
Result<void> ring_take(RingState* ring, std::uint32_t number, void* reply, Deadline deadline) {
  return ring->take(number, reply, deadline);
}
Result<void> ring_call_later(RingState* ring, const void* message, RingCall call, Deadline deadline) {
  COLLET_CHECK(reachable(ring));
  return ring->call_later(message, std::move(call), deadline);
}
Result<bool> ring_try_receive(RingState* ring, void* reply) {
  COLLET_CHECK(reachable(ring));
  return ring->try_receive(reply);
}
Result<void> ring_receive(RingState* ring, void* reply, Deadline deadline) {
  COLLET_CHECK(reachable(ring));
  return ring->receive(reply, deadline);
}
void ring_pause(RingState* ring, bool paused) {
  if (reachable(ring)) ring->pause(paused);
}
RingStats ring_stats(const RingState* ring) { return ring == nullptr ? RingStats{} : ring->stats(); }
Result<RingStats> ring_close(RingState* ring, Deadline deadline) {
  COLLET_CHECK(reachable(ring));
  return ring->close(deadline);
}
const RingPlan& ring_plan(const RingState* ring) {
  static const RingPlan* const none = [] {
    auto* plan = new RingPlan;
    plan->reason = "The Ring was moved from.";
    return plan;
  }();
  return ring == nullptr ? *none : ring->plan;
}

}  // namespace detail
}  // namespace collet
