// Rings: kernels that stay and answer messages, in whatever mode the device has.

#include <array>
#include <cinttypes>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <map>
#include <thread>

#include "collet/ring.hpp"
#include "conformance/conformance.hpp"

namespace conformance {
using namespace collet;
namespace {

struct Add {
  std::uint32_t value;
  std::uint32_t tag;
};
COLLET_STRUCT(Add, value, tag)
struct Total {
  std::uint32_t sum;
  std::uint32_t count;
  std::uint32_t tag;
};
COLLET_STRUCT(Total, sum, count, tag)

// Adds what it is sent, and gives the sum.
auto counter() {
  return ring_kernel("counter", [](Inbox<Add> in, Outbox<Total> out, State<Total> total) {
    total().sum += in.message().value;
    total().count += 1u;
    total().tag = in.message().tag;
    out.send(total());
  });
}

auto doubler() {
  return ring_kernel("doubler",
                     [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out) { out.send(in.message() * 2u); });
}

// Fails for 7.
auto picky() {
  return ring_kernel("picky", [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out) {
    assert_(in.message() != 7u, "it is 7");
    out.send(in.message() * 2u);
  });
}

std::uint64_t asked_number(const char* variable, std::uint64_t otherwise) {
  const char* asked = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return asked != nullptr ? std::strtoull(asked, nullptr, 10) : otherwise;
}

}  // namespace

CONFORMANCE_TEST(Ring, AnswersAndKeepsItsState) {
  auto ring = open_ring(device, counter()).value();
  std::uint32_t sum = 0;
  for (std::uint32_t i = 1; i <= 40; ++i) {
    const auto total = ring.call({.value = i, .tag = 7 * i});
    ASSERT_OK(total);
    sum += i;
    EXPECT_EQ(total->sum, sum);
    EXPECT_EQ(total->count, i);
    EXPECT_EQ(total->tag, 7 * i);
  }
  const auto closed = ring.close();
  ASSERT_OK(closed);
  EXPECT_EQ(closed->processed, 40u);
  EXPECT_EQ(closed->errors, 0u);
  EXPECT_FALSE(closed->active);
  EXPECT_FALSE(ring.reason().empty());
}

CONFORMANCE_TEST(Ring, RepliesComeInTheOrderOfTheirMessages) {
  auto ring = open_ring(device, doubler(), {.capacity = 16}).value();
  std::uint32_t received = 0;
  for (std::uint32_t sent = 0; sent < 200;) {
    const auto there = ring.try_send(sent);
    ASSERT_OK(there);
    if (*there) {
      ++sent;
      continue;
    }
    const auto reply = ring.receive();
    ASSERT_OK(reply);
    ASSERT_EQ(*reply, 2 * received++);
  }
  for (; received < 200; ++received) ASSERT_EQ(ring.receive().value(), 2 * received);
  expect_error(ring.receive(), ErrorCode::invalid_argument, {"receive()", "doubler"});
}

CONFORMANCE_TEST(Ring, ThreadsGetTheirOwnReplies) {
  auto ring = open_ring(device, doubler(), {.capacity = 16}).value();
  constexpr std::uint32_t kEach = 50;
  std::array<std::uint32_t, 4> wrong{};
  std::array<std::thread, 4> threads;
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    threads[t] = std::thread([&, t] {
      for (std::uint32_t i = 0; i < kEach; ++i) {
        const std::uint32_t message = 1000 * t + i;
        const auto reply = ring.call(message);
        if (!reply || *reply != 2 * message) ++wrong[t];
        if (i % 8 == 0 && !ring.post(message)) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<std::uint32_t, 4>{}));
  EXPECT_EQ(ring.close().value().processed, 4u * (kEach + 7));
}

CONFORMANCE_TEST(Ring, NothingIsLostWhereTwoSendAndTwoReceive) {
  auto ring = open_ring(device, doubler(), {.capacity = 32}).value();
  constexpr std::uint32_t kEach = 300;
  std::array<std::vector<std::uint32_t>, 2> got;
  std::atomic<std::uint32_t> left{2 * kEach};
  std::array<std::thread, 4> threads;
  for (std::uint32_t t = 0; t < 2; ++t) {
    threads[t] = std::thread([&, t] {
      for (std::uint32_t i = 0; i < kEach; ++i) (void)ring.send(t * kEach + i);
    });
    threads[2 + t] = std::thread([&, t] {
      while (left.load() != 0) {
        const auto reply = ring.try_receive();
        if (!reply) return;
        if (!*reply) {
          std::this_thread::yield();
          continue;
        }
        got[t].push_back(**reply);
        --left;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<std::uint32_t, int> seen;
  for (const auto& list : got) {
    // Of one sender, each receiver gets replies in order.
    for (std::uint32_t sender = 0; sender < 2; ++sender) {
      std::vector<std::uint32_t> own;
      for (const std::uint32_t reply : list) {
        if ((reply / 2) / kEach == sender) own.push_back(reply);
      }
      EXPECT_TRUE(std::ranges::is_sorted(own));
    }
    for (const std::uint32_t reply : list) ++seen[reply / 2];
  }
  EXPECT_EQ(seen.size(), 2 * kEach);
  EXPECT_TRUE(std::ranges::all_of(seen, [](const auto& one) { return one.second == 1; }));
}

// .ci/deep ring has 100,000,000 messages.
CONFORMANCE_TEST(Ring, ManyMessagesComeBackInOrder) {
  const std::uint64_t many = asked_number("COLLET_RING_MESSAGES", 2'000);
  const auto numbered =
      ring_kernel("numbered", [](Inbox<std::uint32_t> in, Outbox<uint2> out, State<std::uint32_t> handled) {
        out.send(compose(in.message(), handled()));
        handled() = handled() + 1u;
      });
  auto ring = open_ring(device, numbered).value();
  std::thread sender([&] {
    for (std::uint64_t i = 0; i < many; ++i) {
      if (!ring.send(static_cast<std::uint32_t>(i) * 7u)) return;
    }
  });
  std::uint64_t wrong = 0, received = 0;
  while (received < many) {
    const auto reply = ring.try_receive();
    if (!reply) {
      ADD_FAILURE() << reply.error().describe();
      break;
    }
    if (!*reply) {
      std::this_thread::yield();
      continue;
    }
    const auto number = static_cast<std::uint32_t>(received++);
    if ((*reply)->x != number * 7u || (*reply)->y != number) ++wrong;
  }
  sender.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(ring.try_receive().value(), std::nullopt);
  EXPECT_EQ(ring.close().value().processed, many);
  std::printf("%s: %" PRIu64 " messages in order\n", device.info().id().c_str(), received);
}

CONFORMANCE_TEST(Ring, StartsAndStopsManyTimes) {
  const std::uint64_t many = asked_number("COLLET_RING_STARTS", 20);
  for (std::uint64_t i = 0; i < many; ++i) {
    auto ring = open_ring(device, counter(), {.capacity = 16}).value();
    for (std::uint32_t k = 0; k < i % 4; ++k) ASSERT_OK(ring.post({.value = 1, .tag = k}));
    if (i % 3 == 0) {
      ASSERT_EQ(ring.call({.value = 1, .tag = 0}).value().count, i % 4 + 1);
    }
    if (i % 2 == 0) {
      ASSERT_OK(ring.close(Deadline::in(std::chrono::seconds(60))));
    }
  }
}

CONFORMANCE_TEST(Ring, OneThatIsFullSaysSo) {
  auto ring = open_ring(device, doubler(), {.capacity = 16}).value();
  for (std::uint32_t i = 0; i < 16; ++i) ASSERT_OK(ring.send(i));
  EXPECT_FALSE(ring.try_send(16).value());
  expect_error(ring.send(16, Deadline::in(std::chrono::milliseconds(1))), ErrorCode::timeout,
               {"16 slots", "doubler", "of 16 messages"});
  EXPECT_EQ(ring.receive().value(), 0u);
  EXPECT_OK(ring.send(16));
}

CONFORMANCE_TEST(Ring, CallsThatWereGivenUpTakeNoSlotForEver) {
  auto ring = open_ring(device, doubler(), {.capacity = 16}).value();
  ring.pause();
  for (std::uint32_t i = 0; i < 16; ++i)
    expect_error(ring.call(i, Deadline::in(std::chrono::microseconds(1))), ErrorCode::timeout, {"doubler"});
  EXPECT_FALSE(ring.try_send(16).value());
  ring.resume();
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(ring.call(i).value(), 2 * i);
}

CONFORMANCE_TEST(Ring, AHandlerThatFailsAnswersWithItsError) {
  const auto line = std::source_location::current().line() + 2;
  const auto root = ring_kernel("root", [](Inbox<float> in, Outbox<float> out) {
    assert_(in.message() >= 0.0f, "no root of {:.1f}", in.message());
    out.send(sqrt(in.message()));
  });
  auto ring = open_ring(device, root).value();
  EXPECT_EQ(ring.call(9.0f).value(), 3.0f);
  const auto failed = ring.call(-2.5f);
  expect_error(failed, ErrorCode::kernel_failed,
               {"no root of -2.5", "ring_test.cpp:" + std::to_string(line)});
  EXPECT_EQ(failed.error().cause(), Cause::assertion_failed);
  EXPECT_EQ(ring.call(16.0f).value(), 4.0f);
  for (const float x : {1.0f, -1.0f, 4.0f, -4.0f}) ASSERT_OK(ring.send(x));
  EXPECT_EQ(ring.receive().value(), 1.0f);
  expect_error(ring.receive(), ErrorCode::kernel_failed, {"no root of -1.0"});
  EXPECT_EQ(ring.receive().value(), 2.0f);
  expect_error(ring.receive(), ErrorCode::kernel_failed, {"no root of -4.0"});
  ASSERT_OK(ring.post(-7.0f));
  EXPECT_EQ(ring.call(25.0f).value(), 5.0f);
  EXPECT_EQ(ring.stats().errors, 4u);
}

CONFORMANCE_TEST(Ring, AMessageWithoutAReplyIsHandledAllTheSame) {
  const auto odd =
      ring_kernel("odd", [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out, State<std::uint32_t> seen) {
        seen() = seen() + 1u;
        if_((in.message() & 1u) != 0u, [&] { out.send(in.message() * 100u + seen()); });
      });
  auto ring = open_ring(device, odd).value();
  for (std::uint32_t i = 0; i < 6; ++i) ASSERT_OK(ring.send(i));
  EXPECT_EQ(ring.receive().value(), 102u);
  EXPECT_EQ(ring.receive().value(), 304u);
  EXPECT_EQ(ring.receive().value(), 506u);
  expect_error(ring.call(8), ErrorCode::invalid_argument, {"odd", "no reply"});
}

CONFORMANCE_TEST(Ring, WaitsWhileItIsPaused) {
  auto ring = open_ring(device, doubler()).value();
  EXPECT_EQ(ring.call(1).value(), 2u);
  ring.pause();
  // What the kernel was at when it was asked to leave may still be answered.
  while (ring.stats().waiting != 0) std::this_thread::yield();
  ASSERT_OK(ring.send(2));
  expect_error(ring.receive(Deadline::in(std::chrono::milliseconds(20))), ErrorCode::timeout, {"doubler"});
  const RingStats paused = ring.stats();
  EXPECT_TRUE(paused.active && paused.paused);
  EXPECT_EQ(paused.waiting, 1u);
  ring.resume();
  EXPECT_EQ(ring.receive().value(), 4u);
  EXPECT_FALSE(ring.stats().paused);
}

CONFORMANCE_TEST(Ring, ClosingHandlesWhatWasSent) {
  auto ring = open_ring(device, counter()).value();
  for (std::uint32_t i = 0; i < 100; ++i) ASSERT_OK(ring.send({.value = 1, .tag = i}));
  const auto closed = ring.close();
  ASSERT_OK(closed);
  EXPECT_EQ(closed->processed, 100u);
  expect_error(ring.send({.value = 1, .tag = 0}), ErrorCode::invalid_argument,
               {"counter", "closed", "100 of 100"});
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(ring.receive().value().tag, i);
}

CONFORMANCE_TEST(Ring, ItsArgumentsAreThoseOfAKernel) {
  const auto update = ring_kernel("update", [](Inbox<uint2> in, Outbox<float> out, InOut<float> table,
                                               Value<float> factor, In<float> offsets) {
    const auto at = in.message().x;
    table[at] = table[at] + factor * cast<float>(in.message().y) + offsets[at];
    out.send(table[at]);
  });
  auto table = device.upload({1.0f, 2.0f, 3.0f}).value();
  Result<Ring<uint2, float>> opened = [&] {
    const auto offsets = device.upload({10.0f, 20.0f, 30.0f}).value();  // the ring keeps it
    return open_ring(device, update, {}, table, 0.5f, offsets);
  }();
  ASSERT_OK(opened);
  EXPECT_EQ(opened->call({1, 4}).value(), 24.0f);
  EXPECT_EQ(opened->call({2, 2}).value(), 34.0f);
  ASSERT_OK(opened->close());
  EXPECT_EQ(read(device, table), (std::vector<float>{1.0f, 24.0f, 34.0f}));
}

CONFORMANCE_TEST(Ring, AGroupHandlesAMessageTogether) {
  // The sum of table * message, by 64 items.
  const auto dot = ring_kernel("dot", group(64), [](Inbox<float> in, Outbox<float> out, InOut<float> table) {
    const auto part = shared<float>(64);
    part[local_id()] = table[local_id()] * in.message();
    barrier();
    Var<float> sum = 0.0f;
    for_(0u, 64u, [&](Expr<std::uint32_t> k) { sum += part[k]; });
    barrier();
    table[local_id()] = table[local_id()] + 1.0f;
    out.send(sum);
  });
  std::vector<float> table(64);
  std::iota(table.begin(), table.end(), 0.0f);
  const auto memory = device.upload(table).value();
  auto ring = open_ring(device, dot, {}, memory).value();
  for (std::uint32_t round = 0; round < 5; ++round)
    EXPECT_EQ(ring.call(2.0f).value(), 2.0f * (2016.0f + 64.0f * static_cast<float>(round)));
}

CONFORMANCE_TEST(Ring, EveryModeThatADeviceHasGivesTheSame) {
  const RingMode best = open_ring(device, counter()).value().mode();
  for (const RingMode mode : {RingMode::resident, RingMode::windowed, RingMode::relaunch}) {
    auto ring = open_ring(device, counter(), {.capacity = 16, .mode = mode});
    if (mode < best) {
      expect_error(ring, ErrorCode::unsupported, {std::string(name_of(mode))});
      continue;
    }
    ASSERT_OK(ring);
    EXPECT_EQ(ring->mode(), mode);
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 100; ++i) {
      ASSERT_OK(ring->post({.value = i, .tag = i}));
      sum += i;
    }
    EXPECT_EQ(ring->call({.value = 0, .tag = 5}).value().sum, sum);
  }
}

CONFORMANCE_TEST(Ring, OtherStreamsWorkBesideIt) {
  auto ring = open_ring(device, doubler()).value();
  const auto fill = kernel("fill", [](Out<std::uint32_t> out) { out[global_id()] = global_id() * 3u; });
  const auto out = device.buffer<std::uint32_t>(1000).value();
  auto stream = device.stream();
  for (std::uint32_t i = 0; i < 20; ++i) {
    EXPECT_EQ(ring.call(i).value(), 2 * i);
    stream.launch(fill, 1000, out);
    ASSERT_OK(stream.wait());
  }
  EXPECT_EQ(read(device, out)[999], 2997u);
}

CONFORMANCE_TEST(Ring, SeveralOfOneDeviceAnswerSideBySide) {
  auto first = open_ring(device, counter()).value();
  auto second = open_ring(device, counter()).value();
  auto third = open_ring(device, doubler()).value();
  for (std::uint32_t i = 1; i <= 10; ++i) {
    EXPECT_EQ(first.call({.value = 1, .tag = 0}).value().sum, i);
    EXPECT_EQ(second.call({.value = 5, .tag = 0}).value().sum, 5 * i);
    EXPECT_EQ(third.call(i).value(), 2 * i);
  }
}

CONFORMANCE_TEST(Ring, RepliesMayComeByCalls) {
  std::vector<std::uint32_t> replies;
  std::uint32_t errors = 0;
  {
    auto ring = open_ring(device, picky(), {.capacity = 16}).value();
    for (std::uint32_t i = 0; i < 40; ++i) {
      ASSERT_OK(ring.call_later(i, [&](const Result<std::uint32_t>& reply) {
        if (reply)
          replies.push_back(*reply);
        else
          ++errors;
        if (replies.size() == 3) throw 3;  // is logged, and hurts nobody
      }));
    }
    ASSERT_OK(ring.close());
  }
  EXPECT_EQ(errors, 1u);
  ASSERT_EQ(replies.size(), 39u);
  EXPECT_TRUE(std::ranges::is_sorted(replies));
  EXPECT_EQ(replies.back(), 78u);
}

namespace {

// A coroutine that nobody waits for.
struct Detached {
  struct promise_type {
    static Detached get_return_object() { return {}; }
    static std::suspend_never initial_suspend() { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() {}
    static void unhandled_exception() { std::terminate(); }
  };
};

Detached ask_thrice(Ring<std::uint32_t, std::uint32_t>& ring, std::promise<std::uint32_t>& sum) {
  std::uint32_t all = 0;
  for (std::uint32_t i = 1; i <= 3; ++i) all += (co_await ring.ask(i)).value();
  sum.set_value(all);
}

}  // namespace

CONFORMANCE_TEST(Ring, ACoroutineMayAwaitReplies) {
  auto ring = open_ring(device, doubler()).value();
  std::promise<std::uint32_t> sum;
  ask_thrice(ring, sum);
  EXPECT_EQ(sum.get_future().get(), 12u);
}

CONFORMANCE_TEST(Ring, RepliesMayBeMessagesOfAnotherRing) {
  auto first = open_ring(device, picky(), {.capacity = 16}).value();
  const auto summer =
      ring_kernel("summer", [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out, State<std::uint32_t> sum) {
        sum() = sum() + in.message();
        out.send(sum());
      });
  auto second = open_ring(device, summer, {.capacity = 16}).value();
  auto channel = connect(first, second).value();
  std::thread sender([&] {
    for (std::uint32_t i = 0; i < 60; ++i) EXPECT_OK(first.send(i));
  });
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < 60; ++i) {
    if (i == 7) continue;  // picky fails
    sum += 2 * i;
    Result<std::optional<std::uint32_t>> reply = second.try_receive();
    for (; reply && !*reply; reply = second.try_receive()) std::this_thread::yield();
    ASSERT_OK(reply);
    EXPECT_EQ(**reply, sum);
  }
  sender.join();
  const auto stats = channel.stop();
  ASSERT_OK(stats);
  EXPECT_EQ(stats->sent, 59u);
  EXPECT_EQ(stats->errors, 1u);
  // From then on replies are the program's again.
  ASSERT_OK(first.send(20));
  EXPECT_EQ(first.receive().value(), 40u);
}

CONFORMANCE_TEST(Ring, AChannelSaysThatOneOfItsRingsEnded) {
  auto first = open_ring(device, doubler(), {}).value();
  auto second = open_ring(device, doubler(), {}).value();
  {
    auto channel = connect(first, second).value();  // stops when it goes
    ASSERT_OK(first.send(1));
    ASSERT_OK(second.close());
  }
  auto channel = connect(first, second).value();
  ASSERT_OK(first.send(1));
  for (int i = 0; i < 1000 && first.stats().processed < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_OK(first.close());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  expect_error(channel.stop(), ErrorCode::invalid_argument, {"doubler", "closed"});
}

CONFORMANCE_TEST(Ring, WhatItCanNotDoIsAnError) {
  expect_error(open_ring(device, doubler(), {.capacity = 1000}), ErrorCode::invalid_argument,
               {"1000", "power of two"});
  expect_error(open_ring(device, doubler(), {.capacity = 8}), ErrorCode::invalid_argument, {"16", "8"});
  auto ring = open_ring(device, doubler()).value();
  auto moved = std::move(ring);
  expect_error(ring.send(1), ErrorCode::invalid_argument, {"moved from"});  // NOLINT(bugprone-use-after-move)
  expect_error(ring.call(1), ErrorCode::invalid_argument, {"moved from"});
  expect_error(ring.close(), ErrorCode::invalid_argument, {"moved from"});
  EXPECT_EQ(moved.call(4).value(), 8u);
}

}  // namespace conformance
