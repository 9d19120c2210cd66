// When a stream submits: at once where its queue is idle, gathered while it is busy, and never out of order.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>

#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "doubles/heap_in_use.hpp"
#include "doubles/manual_device.hpp"

namespace collet {
namespace {

using test::ManualDevice;
using test::ManualWork;

class StreamGather : public testing::Test {
 protected:
  static Device open(const std::shared_ptr<ManualWork>& work, bool overlaps = true) {
    auto native = std::make_unique<ManualDevice>(work);
    native->limits.overlaps = overlaps;
    return Device(detail::Ref(new detail::DeviceState(std::move(native), {})));
  }
  ~StreamGather() override { work->complete_always(); }

  // Fills say which they are by their pattern.
  void add(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) stream.fill(buffer, first + i);
  }
  static std::vector<std::uint32_t> range(std::uint32_t first, std::uint32_t count) {
    std::vector<std::uint32_t> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }

  std::shared_ptr<ManualWork> work = std::make_shared<ManualWork>();
  Device device = open(work);
  Buffer<std::uint32_t> buffer = device.buffer<std::uint32_t>(16).value();
  Stream stream = device.stream();
};

TEST_F(StreamGather, AnIdleQueueSubmitsAtOnceAndABusyOneGathers) {
  add(0, 1);
  EXPECT_EQ(work->count(), 1u);
  add(1, 10);
  EXPECT_EQ(work->count(), 1u);
}

TEST_F(StreamGather, ASmallUploadDoesNotWaitForWhatIsInFlight) {
  add(0, 1);
  stream.upload(range(0, 16), buffer, Deadline::in(std::chrono::seconds(1)));
  work->complete_always();
  EXPECT_TRUE(stream.wait());
}

TEST_F(StreamGather, GatheredWorkGoesOutWhenTheQueueIsIdleAndNobodyWaits) {
  add(0, 11);
  work->complete();
  ASSERT_TRUE(work->arrives(2));
  EXPECT_EQ(work->at(1).fills, range(1, 10));
}

TEST_F(StreamGather, SixtyFourCommandsAreEnough) {
  add(0, 64);
  EXPECT_EQ(work->count(), 1u);
  add(64, 1);
  ASSERT_EQ(work->count(), 2u);
  EXPECT_EQ(work->at(1).fills, range(1, 64));
}

TEST_F(StreamGather, BeyondAThousandInFlightHalfOfThemAreWaitedFor) {
  for (std::uint32_t i = 0; i < 1024; ++i) {
    add(i, 1);
    stream.flush();
  }
  EXPECT_EQ(work->count(), 1024u);
  std::thread more([&] { add(1024, 1); });
  EXPECT_EQ(work->awaited(), 513u);
  work->complete();
  more.join();
}

TEST_F(StreamGather, FlushSubmitsNow) {
  add(0, 3);
  stream.flush();
  ASSERT_EQ(work->count(), 2u);
  EXPECT_EQ(work->at(1).fills, range(1, 2));
  stream.flush();  // nothing is left
  EXPECT_EQ(work->count(), 2u);
}

TEST_F(StreamGather, WaitSubmitsAndAnEventDoes) {
  add(0, 3);
  const Event event = stream.record({.timing = false});
  EXPECT_FALSE(event.done().value());
  EXPECT_EQ(work->count(), 2u);
  add(3, 3);
  EXPECT_EQ(stream.wait(Deadline::in(std::chrono::milliseconds(1))).error().code(), ErrorCode::timeout);
  EXPECT_EQ(work->count(), 3u);
  work->complete();
  EXPECT_TRUE(event.wait().has_value());
  EXPECT_TRUE(stream.wait().has_value());
}

TEST_F(StreamGather, OrderAndValuesRiseWhateverTheBatches) {
  std::vector<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    add(i, 1);
    if (i % 7 == 0) work->complete();
    if (i % 91 == 0) stream.flush();
  }
  work->complete_always();
  ASSERT_TRUE(stream.wait().has_value());
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < work->count(); ++i) {
    const auto one = work->at(i);
    EXPECT_GT(one.value, last);
    last = one.value;
    EXPECT_LE(one.commands, 64u);
    seen.insert(seen.end(), one.fills.begin(), one.fills.end());
  }
  EXPECT_EQ(seen, range(0, 1000));
}

TEST_F(StreamGather, CommandsOnOneBufferAreOrderedAndOthersAreNot) {
  const auto other = device.buffer<std::uint32_t>(16).value();
  add(0, 1);
  stream.fill(buffer, 1u);  // the first of its batch
  stream.fill(other, 2u);
  stream.fill(buffer, 3u);  // after 1
  stream.fill(other, 4u);   // after 2, which 3 is behind already
  stream.flush();
  ASSERT_EQ(work->count(), 2u);
  EXPECT_EQ(work->at(1).ordered, (std::vector<bool>{true, false, true, false}));
}

TEST_F(StreamGather, AllIsOrderedWhereTheDeviceOverlapsNothing) {
  device = open(work, false);
  stream = device.stream();
  buffer = device.buffer<std::uint32_t>(16).value();
  const auto other = device.buffer<std::uint32_t>(16).value();
  add(0, 1);
  stream.fill(buffer, 1u);
  stream.fill(other, 2u);
  stream.flush();
  ASSERT_EQ(work->count(), 2u);
  EXPECT_EQ(work->at(1).ordered, (std::vector<bool>{true, true}));
}

TEST_F(StreamGather, AnotherStreamsEventIsANativeWait) {
  add(0, 1);
  const Event event = stream.record({.timing = false});
  Stream second = device.stream();
  second.wait_for(event);
  second.fill(buffer, 7u);
  ASSERT_EQ(work->count(), 2u);
  EXPECT_EQ(work->at(1).waits, 1u);
}

TEST_F(StreamGather, AnotherDevicesEventHoldsWorkBackUntilItIsDone) {
  auto other_work = std::make_shared<ManualWork>();
  const Device other = open(other_work);
  const auto other_buffer = other.buffer<std::uint32_t>(16).value();
  Stream second = other.stream();
  add(0, 1);
  const Event event = stream.record({.timing = false});

  second.fill(other_buffer, 1u);  // before the wait: not held back
  second.wait_for(event);
  second.fill(other_buffer, 2u);
  second.flush();
  EXPECT_EQ(other_work->count(), 1u);
  other_work->complete();
  EXPECT_EQ(second.wait(Deadline::in(std::chrono::milliseconds(20))).error().code(), ErrorCode::timeout);
  EXPECT_EQ(other_work->count(), 1u);

  work->complete();
  ASSERT_TRUE(other_work->arrives(2));
  EXPECT_EQ(other_work->at(1).fills, range(2, 1));
  EXPECT_EQ(other_work->at(1).waits, 0u);
  other_work->complete_always();
  EXPECT_TRUE(second.wait().has_value());
}

TEST_F(StreamGather, ACallbackRunsWhenTheWorkIsDoneAndNobodyWaits) {
  add(0, 2);
  std::promise<bool> called;
  stream.record({.timing = false}).then([&](const Result<void>& how) { called.set_value(how.has_value()); });
  auto future = called.get_future();
  EXPECT_EQ(future.wait_for(std::chrono::milliseconds(5)), std::future_status::timeout);
  work->complete_always();
  ASSERT_EQ(future.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_TRUE(future.get());
}

TEST_F(StreamGather, AStreamThatGoesLeavesItsWorkBehind) {
  add(0, 3);
  {
    const Stream gone = std::move(stream);
  }
  stream = device.stream();
  ASSERT_TRUE(work->arrives(2));
  EXPECT_EQ(work->at(1).fills, range(1, 2));
}

TEST(StreamMemory, AMillionSubmissionsDoNotGrowIt) {
  const std::uint32_t many = std::getenv("COLLET_SHORT") != nullptr ? 100'000 : 1'000'000;
  const auto device =
      Device(detail::Ref(new detail::DeviceState(std::make_unique<backend::null::NullDevice>(), {})));
  const auto buffer = device.buffer<std::uint32_t>(16).value();
  Stream stream = device.stream();
  const auto submit = [&](std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      stream.fill(buffer, i);
      stream.flush();
    }
  };
  submit(10'000);
  const std::size_t before = test::heap_in_use();
  if (before == 0) GTEST_SKIP() << "This allocator does not tell what is in use.";
  submit(many);
  const std::size_t after = test::heap_in_use();
  EXPECT_LT(after, before + (64 << 10));
  EXPECT_TRUE(stream.wait().has_value());
}

}  // namespace
}  // namespace collet
