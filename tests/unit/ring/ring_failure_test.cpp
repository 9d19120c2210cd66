// A ring whose device fails: who waits is told so with the number of messages that were handled, nobody
// hangs, and nothing is left.

#include <gtest/gtest.h>

#include <thread>

#include "backends/cpu/backend.hpp"
#include "collet/ring.hpp"
#include "core/device_state.hpp"
#include "doubles/failing_device.hpp"

namespace collet {
namespace {

using namespace std::chrono_literals;
using test::Call;
using test::FaultPlan;

Deadline soon() { return Deadline::in(20s); }

auto doubler() {
  return ring_kernel("doubler",
                     [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out) { out.send(in.message() * 2u); });
}

class RingFailure : public testing::TestWithParam<RingMode> {
 protected:
  Device open() {
    OpenOptions options;
    options.cpu_threads = 1;
    auto device =
        std::make_unique<test::FailingDevice>(backend::cpu::make_backend()->open(0, options).value(), plan);
    return Device(detail::Ref(new detail::DeviceState(std::move(device), {})));
  }

  std::shared_ptr<FaultPlan> plan = std::make_shared<FaultPlan>();
};

TEST_P(RingFailure, TellsEverybodyHowManyMessagesWereHandled) {
  for (const auto& [call, code] :
       {std::pair(Call::submit, ErrorCode::device_lost), std::pair(Call::lose, ErrorCode::device_lost),
        std::pair(Call::submit, ErrorCode::out_of_memory)}) {
    plan = std::make_shared<FaultPlan>();
    {
      const Device device = open();
      auto ring = open_ring(device, doubler(), {.capacity = 16, .mode = GetParam()}).value();
      for (std::uint32_t i = 0; i < 40; ++i) ASSERT_EQ(ring.call(i, soon()).value(), 2 * i);
      ring.pause();  // the kernel leaves, so that the next message needs a launch
      while (plan->count(Call::submit) != 0) {
        plan->reset_counts();
        std::this_thread::sleep_for(20ms);
      }
      plan->fail(call, 1, code);
      for (std::uint32_t i = 0; i < 5; ++i) ASSERT_TRUE(ring.send(i, soon()));
      ring.resume();
      const auto reply = ring.receive(soon());
      ASSERT_FALSE(reply);
      EXPECT_EQ(reply.error().code(), code) << reply.error().describe();
      if (call == Call::submit) {
        EXPECT_NE(reply.error().describe().find("40 of 45 messages were handled"), std::string::npos)
            << reply.error().describe();
      }
      EXPECT_EQ(ring.call(7, soon()).error().code(), code);
      EXPECT_EQ(ring.try_send(7).error().code(), code);
      const RingStats stats = ring.stats();
      EXPECT_FALSE(stats.active);
      EXPECT_EQ(stats.processed, 40u);
      EXPECT_EQ(stats.waiting, 5u);
      EXPECT_EQ(ring.close(soon()).error().code(), code);
    }
    EXPECT_EQ(plan->leaked(), 0);
  }
}

TEST_P(RingFailure, OfACallComesToWhoeverItWasFor) {
  const Device device = open();
  auto ring = open_ring(device, doubler(), {.mode = GetParam()}).value();
  plan->fail(Call::submit, 1, ErrorCode::device_lost);
  std::optional<ErrorCode> told;
  if (ring.call_later(1, [&](const Result<std::uint32_t>& reply) {
        told = reply ? ErrorCode::internal : reply.error().code();
      })) {
    EXPECT_FALSE(ring.close(soon()));
    {
      const auto gone = std::move(ring);
    }
    EXPECT_EQ(told, ErrorCode::device_lost);
  }
}

// Or it works: the pool asks for memory twice, and native code that can't be made leaves the interpreter.
TEST_P(RingFailure, WhereMemoryOrTheKernelCanNotBeMadeNothingIsOpened) {
  int refused = 0;
  for (const Call call : {Call::create_memory, Call::create_program, Call::create_kernel}) {
    for (std::uint64_t nth = 1; nth < 6; ++nth) {
      plan = std::make_shared<FaultPlan>();
      {
        const Device device = open();
        plan->reset_counts();
        plan->fail(call, nth, ErrorCode::out_of_memory);
        auto ring = open_ring(device, doubler(), {.mode = GetParam()});
        if (ring) {
          EXPECT_EQ(ring->call(4, soon()).value(), 8u);
        } else {
          EXPECT_EQ(ring.error().code(), ErrorCode::out_of_memory) << to_string(call) << " " << nth;
          ++refused;
        }
      }
      EXPECT_EQ(plan->leaked(), 0);
    }
  }
  EXPECT_GE(refused, 2);
}

// Closing while the kernel is at work, never was started, or is paused.
TEST_P(RingFailure, StartsAndStopsWithoutAHang) {
  const Device device = open();
  for (int round = 0; round < 100; ++round) {
    auto ring = open_ring(device, doubler(), {.capacity = 16, .mode = GetParam()}).value();
    for (int i = 0; i < round % 5; ++i) ASSERT_TRUE(ring.post(1, soon()));
    if (round % 3 == 0) ring.pause();
    if (round % 2 == 0) {
      const auto closed = ring.close(soon());
      ASSERT_TRUE(closed) << closed.error().describe();
      EXPECT_EQ(closed->processed, static_cast<std::uint64_t>(round % 5));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RingFailure,
                         testing::Values(RingMode::resident, RingMode::windowed, RingMode::relaunch),
                         [](const auto& mode) { return std::string(name_of(mode.param)); });

}  // namespace
}  // namespace collet
