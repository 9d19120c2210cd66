// Streams: order, the first error, deadlines, and what happens to work when a Stream goes.

#include <chrono>
#include <optional>
#include <thread>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"

namespace conformance {
namespace {

using std::chrono::seconds;

// Enough to be still at work when the caller looks.
constexpr uint32_t kLongChain = 600;

void add_long_chain(collet::Stream& stream, const collet::Buffer<uint32_t>& buffer) {
  for (uint32_t i = 0; i < kLongChain; ++i) stream.launch(kernels::spin(), 1, buffer, kernels::kSpinRounds);
}

uint32_t after_long_chain(uint32_t value) { return kernels::spun(value, kLongChain * kernels::kSpinRounds); }

}  // namespace

CONFORMANCE_TEST(Stream, RunsDependentLaunchesInOrder) {
  auto first = device.upload(counting(1000)).value();
  auto second = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  for (uint32_t i = 0; i < 50; ++i) {
    stream.launch(kernels::add(), 1000, first, second, i);
    stream.launch(kernels::copy(), 1000, second, first);
  }
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, first), counting(1000, 49 * 50 / 2));
}

CONFORMANCE_TEST(Stream, RunsTenThousandDependentLaunches) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  for (int i = 0; i < 10'000; ++i) stream.launch(kernels::increment(), 64, buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(64, 10'000));
}

CONFORMANCE_TEST(Stream, RunsIndependentLaunchesAll) {
  auto stream = device.stream();
  auto buffer = device.buffer<uint32_t>(256 * 100).value();
  for (uint32_t i = 0; i < 100; ++i) stream.launch(kernels::iota(), 256, buffer.slice(256 * i, 256), 256 * i);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), counting(256 * 100));
}

CONFORMANCE_TEST(Stream, OrdersAReadBeforeALaterWrite) {
  auto source = device.upload(pattern(20'480)).value();
  auto sinks = device.buffer<uint32_t>(20'480 * 8).value();
  auto stream = device.stream();
  for (uint32_t i = 0; i < 8; ++i) {
    stream.launch(kernels::copy(), 20'480, source, sinks.slice(20'480 * i, 20'480));
    stream.launch(kernels::increment(), 20'480, source);
  }
  ASSERT_OK(stream.wait());
  const Words all = read(device, sinks);
  const Words start = pattern(20'480);
  for (uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], start[i % 20'480] + i / 20'480) << i;
}

CONFORMANCE_TEST(Stream, OrdersALaterWriteAfterAWrite) {
  auto buffer = device.buffer<uint32_t>(10'000).value();
  auto stream = device.stream();
  for (uint32_t i = 0; i < 100; ++i) stream.launch(kernels::iota(), 10'000, buffer, i);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), counting(10'000, 99));
}

CONFORMANCE_TEST(Stream, WithoutWorkIsIdleAndWaits) {
  auto stream = device.stream();
  EXPECT_TRUE(stream.idle());
  EXPECT_OK(stream.wait());
  EXPECT_OK(stream.wait());
  EXPECT_OK(stream.wait(collet::Deadline::in(seconds(0))));
}

CONFORMANCE_TEST(Stream, MayBeWaitedForTwice) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), 64, buffer);
  EXPECT_OK(stream.wait());
  EXPECT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(64, 1));
}

CONFORMANCE_TEST(Stream, FirstErrorSticksUntilWaited) {
  auto buffer = device.upload(Words{1, 2, 3}).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 3, buffer, buffer);  // the same buffer read and written
  auto done = stream.wait();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(
      done.error().message(),
      "Arguments 0 (bytes 0-12) and 1 (bytes 0-12) of [Kernel \"copy\"] overlap and argument 1 is written.");
  EXPECT_OK(stream.wait());  // reported once; the stream is usable again
}

CONFORMANCE_TEST(Stream, SkipsWorkAfterAnError) {
  auto buffer = device.upload(Words{1, 2, 3}).value();
  Words host{9, 9, 9};
  auto stream = device.stream();
  stream.fill(buffer.slice(2, 2), 7u);
  stream.fill(buffer, 5u);
  stream.launch(kernels::increment(), 3, buffer);
  stream.copy(buffer.slice(0, 1), buffer.slice(1, 1));
  stream.upload(Words{4, 4, 4}, buffer);
  stream.download(buffer, std::span(host));
  EXPECT_FALSE(stream.wait());
  EXPECT_EQ(read(device, buffer), (Words{1, 2, 3}));
  EXPECT_EQ(host, (Words{9, 9, 9}));
}

CONFORMANCE_TEST(Stream, DoesTheWorkBeforeAnError) {
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  for (int i = 0; i < 100; ++i) stream.launch(kernels::increment(), 1000, buffer);
  stream.fill(buffer.slice(1000, 1), 7u);
  EXPECT_FALSE(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(1000, 100));
}

CONFORMANCE_TEST(Stream, ReportsTheFirstOfSeveralErrors) {
  auto buffer = device.buffer<uint32_t>(10).value();
  auto stream = device.stream();
  stream.fill(buffer.slice(3, 111), 7u);
  stream.fill(buffer.slice(4, 222), 7u);
  auto done = stream.wait();
  expect_error(done, ErrorCode::invalid_argument, {"111"});
  EXPECT_EQ(done.error().describe().find("222"), std::string::npos) << done.error();
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Stream, WorksAgainAfterAnError) {
  auto buffer = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  for (uint32_t i = 1; i <= 5; ++i) {
    stream.fill(buffer.slice(100, 1), 7u);
    EXPECT_FALSE(stream.wait());
    stream.launch(kernels::increment(), 100, buffer);
    EXPECT_OK(stream.wait());
    EXPECT_EQ(read(device, buffer), Words(100, i));
  }
}

CONFORMANCE_TEST(Stream, KeepsItsErrorsFromOtherStreams) {
  auto buffer = device.buffer<uint32_t>(100).value();
  auto wrong = device.stream();
  auto right = device.stream();
  wrong.fill(buffer.slice(100, 1), 7u);
  right.launch(kernels::increment(), 100, buffer);
  EXPECT_OK(right.wait());
  EXPECT_FALSE(wrong.wait());
  EXPECT_EQ(read(device, buffer), Words(100, 1));
}

CONFORMANCE_TEST(Stream, ErrorNamesItsStream) {
  auto buffer = device.buffer<uint32_t>(4).value();
  auto stream = device.stream({.label = "physics"});
  EXPECT_EQ(stream.label(), "physics");
  stream.fill(buffer.slice(4, 1), 7u);
  auto done = stream.wait();
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().describe().find("physics"), std::string::npos) << done.error();
}

CONFORMANCE_TEST(Stream, WaitGivesUpAtItsDeadlineAndMayBeRepeated) {
  auto buffer = device.upload(Words{1}).value();
  auto stream = device.stream();
  add_long_chain(stream, buffer);
  expect_error(stream.wait(collet::Deadline::in(seconds(0))), ErrorCode::timeout);
  EXPECT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words{after_long_chain(1)});
}

CONFORMANCE_TEST(Stream, TakesMoreWorkAfterATimeout) {
  auto buffer = device.upload(Words{1}).value();
  auto other = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  add_long_chain(stream, buffer);
  expect_error(stream.wait(collet::Deadline::in(std::chrono::microseconds(100))), ErrorCode::timeout);
  stream.launch(kernels::increment(), 100, other);
  EXPECT_OK(stream.wait(collet::Deadline::in(seconds(100))));
  EXPECT_EQ(read(device, buffer), Words{after_long_chain(1)});
  EXPECT_EQ(read(device, other), Words(100, 1));
}

CONFORMANCE_TEST(Stream, IsNotIdleWhileItsWorkRuns) {
  auto buffer = device.upload(Words{1}).value();
  auto stream = device.stream();
  add_long_chain(stream, buffer);
  EXPECT_FALSE(stream.idle());
  EXPECT_OK(stream.wait());
  EXPECT_TRUE(stream.idle());
}

CONFORMANCE_TEST(Stream, BecomesIdleWithoutBeingWaitedFor) {
  auto buffer = device.upload(Words{1}).value();
  Words host(1);
  auto stream = device.stream();
  for (uint32_t i = 0; i < 10; ++i) stream.launch(kernels::spin(), 1, buffer, 1000u);
  stream.download(buffer, std::span(host));
  stream.flush();
  const auto deadline = collet::Deadline::in(seconds(60));
  while (!stream.idle()) {
    ASSERT_FALSE(deadline.passed());
    std::this_thread::yield();
  }
  EXPECT_EQ(host, Words{kernels::spun(1, 10'000)});
}

CONFORMANCE_TEST(Stream, FlushMayBeCalledAtAnyTime) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.flush();
  for (int i = 0; i < 100; ++i) {
    stream.launch(kernels::increment(), 64, buffer);
    stream.flush();
    if (i % 7 == 0) stream.flush();
  }
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(64, 100));
}

CONFORMANCE_TEST(Stream, HundredOfThemAreIndependent) {
  std::vector<collet::Stream> streams;
  std::vector<collet::Buffer<uint32_t>> buffers;
  for (uint32_t i = 0; i < 100; ++i) {
    streams.push_back(device.stream());
    buffers.push_back(device.buffer<uint32_t>(300).value());
    for (uint32_t launch = 0; launch <= i % 10; ++launch) {
      streams.back().launch(kernels::increment(), 300, buffers.back());
    }
  }
  for (uint32_t i = 0; i < 100; ++i) {
    ASSERT_OK(streams[i].wait());
    EXPECT_EQ(read(device, buffers[i]), Words(300, i % 10 + 1)) << i;
  }
}

CONFORMANCE_TEST(Stream, WorkGoesOnWithoutIt) {
  auto buffer = device.upload(Words{1}).value();
  std::optional<collet::Event> end;
  {
    auto stream = device.stream();
    add_long_chain(stream, buffer);
    end = stream.record();
  }
  ASSERT_OK(end->wait());
  EXPECT_EQ(read(device, buffer), Words{after_long_chain(1)});
}

CONFORMANCE_TEST(Stream, WorkGoesOnWithoutItAndWithoutAnEvent) {
  auto buffer = device.upload(Words{1}).value();
  {
    auto stream = device.stream();
    add_long_chain(stream, buffer);
  }
  ASSERT_OK(device.wait());
  EXPECT_EQ(read(device, buffer), Words{after_long_chain(1)});
}

CONFORMANCE_TEST(Stream, DestructorWaitsForDownloads) {
  auto buffer = device.upload(Words{1}).value();
  Words host(1);
  {
    auto stream = device.stream();
    add_long_chain(stream, buffer);
    stream.download(buffer, std::span(host));
  }
  EXPECT_EQ(host, Words{after_long_chain(1)});
}

CONFORMANCE_TEST(Stream, DestructorWaitsForBorrowedUploads) {
  auto busy = device.upload(Words{1}).value();
  auto buffer = device.buffer<uint32_t>(100'000).value();
  std::optional<collet::Event> uploaded;
  {
    Words host = pattern(100'000);
    {
      auto stream = device.stream();
      add_long_chain(stream, busy);
      stream.upload_borrowed(std::span<const uint32_t>(host), buffer);
      uploaded = stream.record();
    }
    std::fill(host.begin(), host.end(), 0u);
  }
  ASSERT_OK(uploaded->wait());  // a device that copied the memory aside need not be done yet
  EXPECT_TRUE(read(device, buffer) == pattern(100'000));
}

CONFORMANCE_TEST(Stream, KeepsItsWorkWhenMoved) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto first = device.stream({.label = "first"});
  first.launch(kernels::increment(), 64, buffer);
  auto second = std::move(first);
  EXPECT_EQ(second.label(), "first");
  second.launch(kernels::increment(), 64, buffer);
  ASSERT_OK(second.wait());
  EXPECT_EQ(read(device, buffer), Words(64, 2));
  second = device.stream({.label = "other"});
  EXPECT_EQ(second.label(), "other");
  second.launch(kernels::increment(), 64, buffer);
  ASSERT_OK(second.wait());
  EXPECT_EQ(read(device, buffer), Words(64, 3));
}

CONFORMANCE_TEST(Stream, ThousandAreMadeAndDestroyed) {
  auto buffer = device.buffer<uint32_t>(1).value();
  for (uint32_t i = 0; i < 1000; ++i) {
    auto stream = device.stream();
    if (i % 100 != 0) continue;
    stream.launch(kernels::increment(), 1, buffer);
    ASSERT_OK(stream.wait());
  }
  EXPECT_EQ(read(device, buffer), Words{10});
}

}  // namespace conformance
