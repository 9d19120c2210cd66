// Slots go from the host to the device and back by their state words.

#include "ring/slots.hpp"

#include <cstring>

namespace collet::detail::ring {
namespace {

constexpr std::uint32_t kWantedBits = 3;
constexpr std::uint32_t kOutcomeBits = 3;

Wanted wanted_of(std::uint32_t state) { return static_cast<Wanted>(state & kWantedBits); }
Outcome outcome_of(std::uint32_t state) {
  return static_cast<Outcome>((state >> kOutcomeShift) & kOutcomeBits);
}
bool same_lap(std::uint32_t state, std::uint32_t lap) { return ((state ^ lap) >> kLapShift) == 0; }

}  // namespace

bool Slots::try_send(const void* message, Wanted wanted, std::uint32_t& number) {
  std::uint64_t next = sent_.load(std::memory_order_relaxed);
  for (;;) {
    const auto mine = static_cast<std::uint32_t>(next);
    if (state(mine).load(std::memory_order_acquire) == lap(mine)) {
      if (!sent_.compare_exchange_weak(next, next + 1, std::memory_order_acq_rel)) continue;
      std::memcpy(memory_.messages + std::size_t{slot_of(mine)} * memory_.message_bytes, message,
                  memory_.message_bytes);
      state(mine).store(lap(mine) | static_cast<std::uint32_t>(wanted), std::memory_order_release);
      number = mine;
      return true;
    }
    // Of the lap before, or another thread was faster.
    const std::uint64_t now = sent_.load(std::memory_order_acquire);
    if (now == next) return false;
    next = now;
  }
}

void Slots::copy_reply(std::uint32_t number, void* reply) const {
  std::memcpy(reply, memory_.replies + std::size_t{slot_of(number)} * memory_.reply_bytes,
              memory_.reply_bytes);
}

Outcome Slots::try_take(std::uint32_t number, void* reply) {
  const std::uint32_t found = state(number).load(std::memory_order_acquire);
  const Outcome outcome = outcome_of(found);
  if (outcome == Outcome::waiting) return outcome;
  if (outcome == Outcome::replied) copy_reply(number, reply);
  state(number).store(next_lap(lap(number)), std::memory_order_release);
  return outcome;
}

Slots::Received Slots::try_receive(void* reply, std::uint32_t& number) {
  std::uint64_t next = received_.load(std::memory_order_acquire);
  for (;;) {
    const std::uint64_t sent = sent_.load(std::memory_order_acquire);
    if (next == sent) return Received::nothing_sent;
    const std::uint64_t capacity = std::uint64_t{1} << memory_.shift;
    if (sent - next > capacity) {  // what stood in a slot that was used again had no reply for receive()
      if (received_.compare_exchange_weak(next, sent - capacity, std::memory_order_acq_rel))
        next = sent - capacity;
      continue;
    }
    const auto mine = static_cast<std::uint32_t>(next);
    const std::uint32_t found = state(mine).load(std::memory_order_acquire);
    const bool here = same_lap(found, lap(mine));
    if (found == lap(mine)) return Received::waiting;  // claimed, and not yet written
    const bool ours = here && wanted_of(found) == Wanted::next_reply;
    if (ours && outcome_of(found) == Outcome::waiting) return Received::waiting;
    if (!received_.compare_exchange_weak(next, next + 1, std::memory_order_acq_rel)) continue;
    ++next;
    if (!ours) continue;  // somebody else frees it, or has done so
    const Outcome outcome = outcome_of(found);
    if (outcome == Outcome::replied) copy_reply(mine, reply);
    state(mine).store(next_lap(lap(mine)), std::memory_order_release);
    if (outcome == Outcome::no_reply) continue;
    number = mine;
    return outcome == Outcome::replied ? Received::replied : Received::failed;
  }
}

bool Slots::waits(std::uint32_t number) const {
  const std::uint32_t found = state(number).load(std::memory_order_acquire);
  return same_lap(found, lap(number)) && wanted_of(found) != Wanted::nothing &&
         outcome_of(found) == Outcome::waiting;
}

}  // namespace collet::detail::ring
