// The host's side of a ring's slots: who may write a message, who reads a reply. docs/ring_protocol.md says
// why this is right.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "collet/detail/ring_protocol.hpp"

namespace collet::detail::ring {

// Where slots are: the control words, then messages and replies of `capacity` slots each.
struct SlotMemory {
  std::uint32_t* control = nullptr;
  std::byte* messages = nullptr;
  std::byte* replies = nullptr;
  std::uint32_t shift = 0;  // 1 << shift slots
  std::uint32_t message_bytes = 0;
  std::uint32_t reply_bytes = 0;
};

// Threads: thread-safe; nothing here waits.
class Slots {
 public:
  explicit Slots(const SlotMemory& memory) : memory_(memory) {}

  // False where all slots are taken. `number` becomes the message's.
  bool try_send(const void* message, Wanted wanted, std::uint32_t& number);

  // What became of call() number `number`; everything but `waiting` frees the slot, and `replied` copies the
  // reply.
  Outcome try_take(std::uint32_t number, void* reply);

  // What became of the oldest send() that nobody has received yet. Messages without a reply are passed over.
  enum class Received : std::uint8_t { nothing_sent, waiting, replied, failed };
  Received try_receive(void* reply, std::uint32_t& number);

  // Whether try_receive() has gone through all numbers.
  bool nothing_sent() const { return received_.load(std::memory_order_acquire) == sent(); }
  // Whether message `number` was sent and is not handled.
  bool waits(std::uint32_t number) const;

  std::uint64_t sent() const { return sent_.load(std::memory_order_acquire); }
  const SlotMemory& memory() const { return memory_; }
  std::atomic_ref<std::uint32_t> word(std::uint32_t at) const {
    return std::atomic_ref<std::uint32_t>(memory_.control[at]);
  }
  std::uint32_t slot_of(std::uint32_t number) const { return number & ((1u << memory_.shift) - 1); }
  std::atomic_ref<std::uint32_t> state(std::uint32_t number) const { return word(kStates + slot_of(number)); }

 private:
  std::uint32_t lap(std::uint32_t number) const { return lap_of(number, memory_.shift); }
  void copy_reply(std::uint32_t number, void* reply) const;

  static constexpr std::size_t kCacheLine = 64;
  const SlotMemory memory_;
  alignas(kCacheLine) std::atomic<std::uint64_t> sent_{0};      // messages whose slots are claimed
  alignas(kCacheLine) std::atomic<std::uint64_t> received_{0};  // of these, those that receive() is done with
};

}  // namespace collet::detail::ring
