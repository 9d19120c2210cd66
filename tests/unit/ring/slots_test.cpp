// The host's side of a ring's slots, with a kernel that is played by the test.

#include "ring/slots.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace collet::detail::ring {
namespace {

class SlotsTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kShift = 4, kSlots = 1u << kShift;

  bool send(std::uint32_t message, Wanted wanted) { return slots.try_send(&message, wanted, number); }
  // Handles the next message as the kernel does: the reply is ten times the message.
  bool handle(Outcome outcome = Outcome::replied) {
    const std::uint32_t slot = next % kSlots;
    const auto word = std::atomic_ref(control[kStates + slot]);
    const std::uint32_t state = word.load(std::memory_order_acquire);
    const std::uint32_t lap = lap_of(next, kShift);
    if ((state ^ lap) - 1 >= 3) return false;
    replies[slot] = 10 * messages[slot];
    const bool posted = (state ^ lap) == static_cast<std::uint32_t>(Wanted::no_reply);
    word.store(posted ? next_lap(lap) : state | static_cast<std::uint32_t>(outcome) << kOutcomeShift,
               std::memory_order_release);
    ++next;
    return true;
  }
  Slots::Received receive() { return slots.try_receive(&reply, received); }

  std::vector<std::uint32_t> control = std::vector<std::uint32_t>(kStates + kSlots);
  std::vector<std::uint32_t> messages = std::vector<std::uint32_t>(kSlots);
  std::vector<std::uint32_t> replies = std::vector<std::uint32_t>(kSlots);
  Slots slots{SlotMemory{.control = control.data(),
                         .messages = reinterpret_cast<std::byte*>(messages.data()),
                         .replies = reinterpret_cast<std::byte*>(replies.data()),
                         .shift = kShift,
                         .message_bytes = 4,
                         .reply_bytes = 4}};
  std::uint32_t next = 0;  // the kernel's
  std::uint32_t number = 0, received = 0, reply = 0;
};

TEST_F(SlotsTest, AReplyComesBackAndItsSlotIsFree) {
  EXPECT_EQ(receive(), Slots::Received::nothing_sent);
  ASSERT_TRUE(send(7, Wanted::next_reply));
  EXPECT_EQ(number, 0u);
  EXPECT_TRUE(slots.waits(0));
  EXPECT_EQ(receive(), Slots::Received::waiting);
  ASSERT_TRUE(handle());
  EXPECT_FALSE(slots.waits(0));
  EXPECT_EQ(receive(), Slots::Received::replied);
  EXPECT_EQ(reply, 70u);
  EXPECT_EQ(received, 0u);
  EXPECT_EQ(receive(), Slots::Received::nothing_sent);
  EXPECT_EQ(control[kStates], next_lap(0));
}

TEST_F(SlotsTest, AsManyAreOnTheirWayAsThereAreSlots) {
  for (std::uint32_t i = 0; i < kSlots; ++i) ASSERT_TRUE(send(i, Wanted::next_reply));
  EXPECT_FALSE(send(99, Wanted::next_reply));
  ASSERT_TRUE(handle());
  EXPECT_FALSE(send(99, Wanted::next_reply)) << "its reply still stands there";
  EXPECT_EQ(receive(), Slots::Received::replied);
  EXPECT_TRUE(send(99, Wanted::next_reply));
  EXPECT_EQ(number, kSlots);
}

TEST_F(SlotsTest, RepliesGoToWhomTheyAreMeantFor) {
  ASSERT_TRUE(send(1, Wanted::own_reply));
  ASSERT_TRUE(send(2, Wanted::no_reply));
  ASSERT_TRUE(send(3, Wanted::next_reply));
  EXPECT_EQ(slots.try_take(0, &reply), Outcome::waiting);
  while (handle()) continue;
  EXPECT_EQ(receive(), Slots::Received::replied);
  EXPECT_EQ(reply, 30u);
  EXPECT_EQ(slots.try_take(0, &reply), Outcome::replied);
  EXPECT_EQ(reply, 10u);
  EXPECT_EQ(receive(), Slots::Received::nothing_sent);
}

TEST_F(SlotsTest, MessagesWithoutAReplyArePassedOverAndFailuresAreNot) {
  for (std::uint32_t i = 0; i < 3; ++i) ASSERT_TRUE(send(i, Wanted::next_reply));
  ASSERT_TRUE(send(3, Wanted::own_reply));
  ASSERT_TRUE(handle(Outcome::no_reply));
  ASSERT_TRUE(handle(Outcome::failed));
  ASSERT_TRUE(handle());
  ASSERT_TRUE(handle(Outcome::failed));
  EXPECT_EQ(receive(), Slots::Received::failed);
  EXPECT_EQ(received, 1u);
  EXPECT_EQ(receive(), Slots::Received::replied);
  EXPECT_EQ(reply, 20u);
  EXPECT_EQ(slots.try_take(3, &reply), Outcome::failed);
}

TEST_F(SlotsTest, ALongRunOfPostsIsSkippedAtOnce) {
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(send(i, Wanted::no_reply));
    ASSERT_TRUE(handle());
  }
  ASSERT_TRUE(send(5, Wanted::next_reply));
  ASSERT_TRUE(handle());
  EXPECT_EQ(receive(), Slots::Received::replied);
  EXPECT_EQ(reply, 50u);
  EXPECT_EQ(slots.sent(), 100'001u);
}

TEST_F(SlotsTest, NothingIsLostBetweenThreads) {
  constexpr std::uint32_t kEach = 20'000;
  std::atomic<std::uint32_t> left{2 * kEach};
  std::vector<std::atomic<std::uint8_t>> seen(2 * kEach);
  std::atomic<std::uint32_t> wrong{0};
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < kEach; ++i) {
        const std::uint32_t message = t * kEach + i;
        std::uint32_t mine = 0;
        while (!slots.try_send(&message, Wanted::next_reply, mine)) std::this_thread::yield();
      }
    });
    threads.emplace_back([&] {
      std::uint32_t found = 0;
      std::uint32_t which = 0;
      while (left.load() != 0) {
        if (slots.try_receive(&found, which) != Slots::Received::replied) {
          std::this_thread::yield();
          continue;
        }
        if (seen[found / 10].fetch_add(1) != 0) ++wrong;
        --left;
      }
    });
  }
  while (next != 2 * kEach) {
    if (!handle()) std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace collet::detail::ring
