// What the two sides of a ring agree on: how a slot goes from the host to the device and back. See
// docs/ring_protocol.md.
#pragma once

#include <cstdint>

namespace collet::detail::ring {

// A ring has a power of two of slots. Message number t, counted from 0 and modulo 2^32, stands in slot
// t % capacity in lap t / capacity. Each slot has a state word, lap << 4 | outcome << 2 | wanted, which the
// host and the device write in turn: who reads the word that it waits for owns the slot until it writes the
// next one.
enum class Wanted : std::uint32_t {
  nothing = 0,  // the slot is free for its lap
  no_reply,     // post(): the device frees the slot
  next_reply,   // send(): receive() frees it
  own_reply,    // call(): the caller frees it
};
enum class Outcome : std::uint32_t {
  waiting = 0,  // the device has not handled it
  replied,
  no_reply,  // the handler sent none
  failed,    // an assert_() of the handler
};

inline constexpr std::uint32_t kOutcomeShift = 2;
inline constexpr std::uint32_t kLapShift = 4;
inline constexpr std::uint32_t kLeastCapacity = 16;  // laps have 28 bits

// Words of the control buffer: a cache line that the host writes, one that the device writes, then a word for
// each slot.
inline constexpr std::uint32_t kLeave = 0;    // host: the kernel leaves at its next round
inline constexpr std::uint32_t kNext = 16;    // device: the number of the message that it handles next
inline constexpr std::uint32_t kFailed = 17;  // device: messages whose handler failed
inline constexpr std::uint32_t kStates = 32;

constexpr std::uint32_t lap_of(std::uint32_t number, std::uint32_t shift) {
  return shift == 32 ? 0 : (number >> shift) << kLapShift;
}
constexpr std::uint32_t next_lap(std::uint32_t lap) { return lap + (1u << kLapShift); }

}  // namespace collet::detail::ring
