// Events as order: between streams, between devices, and beyond the life of either.

#include <chrono>
#include <future>
#include <optional>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"

namespace conformance {
namespace {

using std::chrono::seconds;

void add_spins(collet::Stream& stream, const collet::Buffer<uint32_t>& buffer, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) stream.launch(kernels::spin(), 1, buffer, kernels::kSpinRounds);
}

}  // namespace

CONFORMANCE_TEST(Event, OrdersTwoStreams) {
  auto producer = device.stream();
  auto consumer = device.stream();
  auto value = device.upload(Words{1}).value();
  auto result = device.buffer<uint32_t>(1).value();
  add_spins(producer, value, 100);
  consumer.wait_for(producer.record());
  consumer.launch(kernels::copy(), 1, value, result);
  ASSERT_OK(consumer.wait());
  EXPECT_EQ(read(device, result), Words{kernels::spun(1, 100 * kernels::kSpinRounds)});
  EXPECT_OK(producer.wait());
}

CONFORMANCE_TEST(Event, OrdersTransfersOfTwoStreams) {
  auto producer = device.stream();
  auto consumer = device.stream();
  auto buffer = device.buffer<uint32_t>(300'000).value();
  Words host(300'000);
  for (uint32_t round = 0; round < 10; ++round) {
    producer.upload(counting(300'000, round), buffer);
    consumer.wait_for(producer.record());
    consumer.download(buffer, std::span(host));
    producer.wait_for(consumer.record());
    ASSERT_OK(consumer.wait());
    ASSERT_EQ(host, counting(300'000, round));
  }
  EXPECT_OK(producer.wait());
}

CONFORMANCE_TEST(Event, WaitingConsumerNeedsNoFlushOfTheProducer) {
  auto buffer = device.buffer<uint32_t>(100).value();
  auto producer = device.stream();
  auto consumer = device.stream();
  for (int i = 0; i < 10; ++i) producer.launch(kernels::increment(), 100, buffer);
  consumer.wait_for(producer.record());
  consumer.launch(kernels::increment(), 100, buffer);
  ASSERT_OK(consumer.wait(collet::Deadline::in(seconds(60))));
  EXPECT_EQ(read(device, buffer), Words(100, 11));
}

CONFORMANCE_TEST(Event, OrdersALineOfStreams) {
  auto buffer = device.buffer<uint32_t>(5000).value();
  std::vector<collet::Stream> line;
  for (int i = 0; i < 16; ++i) line.push_back(device.stream());
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (round > 0 || i > 0) line[i].wait_for(line[(i + line.size() - 1) % line.size()].record());
      line[i].launch(kernels::increment(), 5000, buffer);
    }
  }
  ASSERT_OK(line.back().wait());
  EXPECT_EQ(read(device, buffer), Words(5000, 80));
}

CONFORMANCE_TEST(Event, OrdersADiamond) {
  auto top = device.stream(), left = device.stream(), right = device.stream(), bottom = device.stream();
  auto source = device.buffer<uint32_t>(1024).value();
  auto first = device.buffer<uint32_t>(1024).value();
  auto second = device.buffer<uint32_t>(1024).value();
  for (uint32_t round = 0; round < 20; ++round) {
    top.launch(kernels::iota(), 1024, source, round);
    const auto made = top.record();
    left.wait_for(made);
    left.launch(kernels::add(), 1024, source, first, 10u);
    right.wait_for(made);
    right.launch(kernels::add(), 1024, source, second, 100u);
    bottom.wait_for(left.record());
    bottom.wait_for(right.record());
    bottom.launch(kernels::add(), 512, first, source, 1u);
    bottom.launch(kernels::add(), 512, second.slice(0, 512), first.slice(512, 512), 1u);
    top.wait_for(bottom.record());
    left.wait_for(bottom.record());
  }
  ASSERT_OK(top.wait());
  ASSERT_OK(bottom.wait());
  Words expected = counting(1024, 19);
  for (uint32_t i = 0; i < 512; ++i) expected[i] += 11;
  EXPECT_EQ(read(device, source), expected);
}

CONFORMANCE_TEST(Event, OfTheSameStreamMayBeWaitedFor) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  for (int i = 0; i < 10; ++i) {
    stream.launch(kernels::increment(), 64, buffer);
    stream.wait_for(stream.record());
  }
  ASSERT_OK(stream.wait(collet::Deadline::in(seconds(60))));
  EXPECT_EQ(read(device, buffer), Words(64, 10));
}

CONFORMANCE_TEST(Event, ThatIsDoneMayBeWaitedFor) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto first = device.stream();
  first.launch(kernels::increment(), 64, buffer);
  const auto event = first.record();
  ASSERT_OK(event.wait());
  auto second = device.stream();
  second.wait_for(event);
  second.wait_for(event);
  second.launch(kernels::increment(), 64, buffer);
  ASSERT_OK(second.wait());
  EXPECT_EQ(read(device, buffer), Words(64, 2));
}

CONFORMANCE_TEST(Event, OutlivesItsStream) {
  auto buffer = device.upload(Words{1}).value();
  auto result = device.buffer<uint32_t>(1).value();
  std::optional<collet::Event> event;
  {
    auto stream = device.stream();
    add_spins(stream, buffer, 200);
    event = stream.record();
  }
  auto consumer = device.stream();
  consumer.wait_for(*event);
  consumer.launch(kernels::copy(), 1, buffer, result);
  ASSERT_OK(consumer.wait());
  EXPECT_TRUE(event->done().value());
  EXPECT_EQ(read(device, result), Words{kernels::spun(1, 200 * kernels::kSpinRounds)});
}

CONFORMANCE_TEST(Event, OutlivesItsDevice) {
  std::optional<collet::Event> event;
  {
    auto own = collet::Device::open(device.info().id()).value();
    auto buffer = own.upload(Words{1}).value();
    auto stream = own.stream();
    add_spins(stream, buffer, 50);
    event = stream.record();
  }
  EXPECT_OK(event->wait());
  EXPECT_TRUE(event->done().value());
}

CONFORMANCE_TEST(Event, IsWaitedForByAnotherThread) {
  auto buffer = device.upload(Words{1}).value();
  auto stream = device.stream();
  add_spins(stream, buffer, 300);
  const auto event = stream.record();
  std::vector<std::future<bool>> waiters;
  for (int i = 0; i < 4; ++i) {
    waiters.push_back(std::async(std::launch::async, [event] { return event.wait().has_value(); }));
  }
  for (auto& waiter : waiters) EXPECT_TRUE(waiter.get());
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Event, OrdersStreamsOfTwoDevices) {
  collet::Device peer = peer_of(device);
  auto here = device.stream();
  auto there = peer.stream();
  auto mine = device.buffer<uint32_t>(1000).value();
  auto theirs = peer.buffer<uint32_t>(1000).value();
  std::vector<Words> hosts(20, Words(1000));
  for (uint32_t round = 0; round < 20; ++round) {
    here.launch(kernels::increment(), 1000, mine);
    here.download(mine, std::span(hosts[round]));
    there.wait_for(here.record());
    there.launch(kernels::increment(), 1000, theirs);
    here.wait_for(there.record());
  }
  ASSERT_OK(there.wait(collet::Deadline::in(seconds(60))));  // and with it all that `here` did before
  for (uint32_t round = 0; round < 20; ++round) EXPECT_EQ(hosts[round], Words(1000, round + 1)) << round;
  ASSERT_OK(here.wait(collet::Deadline::in(seconds(60))));
  EXPECT_EQ(read(peer, theirs), Words(1000, 20));
}

CONFORMANCE_TEST(Event, OfALongChainHoldsBackAnotherDevice) {
  collet::Device peer = peer_of(device);
  auto here = device.stream();
  auto there = peer.stream();
  auto mine = device.upload(Words{1}).value();
  auto theirs = peer.buffer<uint32_t>(100).value();
  ASSERT_OK(peer.compile(kernels::increment()));  // takes longer than the chain
  add_spins(here, mine, 300);
  const auto end = here.record();
  there.wait_for(end);
  there.launch(kernels::increment(), 100, theirs);
  EXPECT_TRUE(!there.idle() || end.done().value());  // on a busy machine the chain may have ended by now
  ASSERT_OK(there.wait(collet::Deadline::in(seconds(60))));
  EXPECT_TRUE(end.done().value());
  EXPECT_EQ(read(device, mine), Words{kernels::spun(1, 300 * kernels::kSpinRounds)});
  EXPECT_EQ(read(peer, theirs), Words(100, 1));
}

CONFORMANCE_TEST(Event, FailureReachesTheStreamsOfAnotherDevice) {
  collet::Device peer = peer_of(device);
  auto here = device.stream();
  auto there = peer.stream();
  auto mine = device.buffer<uint32_t>(4).value();
  auto theirs = peer.buffer<uint32_t>(4).value();
  here.fill(mine.slice(3, 777), 1u);
  there.wait_for(here.record());
  there.fill(theirs, 1u);
  expect_error(there.wait(), ErrorCode::invalid_argument, {"777"});
  EXPECT_EQ(read(peer, theirs), Words(4, 0));
  EXPECT_FALSE(here.wait());
}

CONFORMANCE_TEST(Event, OrdersALongPingPongOfTwoDevices) {
  collet::Device peer = peer_of(device);
  auto here = device.stream();
  auto there = peer.stream();
  auto mine = device.upload(Words{1}).value();
  auto theirs = peer.buffer<uint32_t>(1).value();
  add_spins(here, mine, 100);  // so that all of the rest is still held back
  for (uint32_t round = 0; round < 1000; ++round) {
    there.wait_for(here.record({.timing = false}));
    there.launch(kernels::increment(), 1, theirs);
    here.wait_for(there.record({.timing = false}));
    here.launch(kernels::increment(), 1, mine);
  }
  ASSERT_OK(here.wait(collet::Deadline::in(seconds(60))));
  EXPECT_EQ(read(device, mine), Words{kernels::spun(1, 100 * kernels::kSpinRounds) + 1000});
  EXPECT_EQ(read(peer, theirs), Words{1000});
}

}  // namespace conformance
