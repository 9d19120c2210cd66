// Memory: accounting, many buffers, and buffers that go while they are used.

#include <chrono>
#include <optional>
#include <random>
#include <thread>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"

namespace conformance {

CONFORMANCE_TEST(Memory, UsageRisesAndFallsWithTheBuffers) {
  auto own = collet::Device::open(device.info().id()).value();
  const auto before = own.memory_usage();
  {
    auto first = own.buffer<uint32_t>(1000).value();
    auto second = own.buffer<uint8_t>(1u << 20).value();
    const auto during = own.memory_usage();
    EXPECT_EQ(during.buffers, before.buffers + 2);
    EXPECT_GE(during.used, before.used + 4000 + (1u << 20));
    EXPECT_LT(during.used, before.used + 4000 + (1u << 20) + 4096);
    EXPECT_GE(during.reserved, during.used);
  }
  ASSERT_OK(own.wait());
  const auto deadline = collet::Deadline::in(std::chrono::seconds(5));
  while (own.memory_usage().buffers != before.buffers && !deadline.passed()) std::this_thread::yield();
  EXPECT_EQ(own.memory_usage().buffers, before.buffers);
  EXPECT_EQ(own.memory_usage().used, before.used);
}

CONFORMANCE_TEST(Memory, OfAnEmptyBufferIsNone) {
  auto own = collet::Device::open(device.info().id()).value();
  const auto before = own.memory_usage();
  auto buffer = own.buffer<uint32_t>(0).value();
  EXPECT_EQ(own.memory_usage().used, before.used);
}

CONFORMANCE_TEST(Memory, TrimGivesBackWhatNobodyUses) {
  auto own = collet::Device::open(device.info().id()).value();
  auto kept = own.upload(Words{1, 2, 3}).value();
  const auto before = own.memory_usage();
  {
    std::vector<collet::Buffer<uint8_t>> buffers;
    for (int i = 0; i < 6; ++i) buffers.push_back(own.buffer<uint8_t>(10u << 20).value());
    EXPECT_GE(own.memory_usage().reserved, 60u << 20);
  }
  ASSERT_OK(own.wait());
  const auto deadline = collet::Deadline::in(std::chrono::seconds(5));
  do {
    own.trim();
  } while (own.memory_usage().reserved > before.reserved && !deadline.passed());
  EXPECT_LE(own.memory_usage().reserved, before.reserved);
  EXPECT_EQ(read(own, kept), (Words{1, 2, 3}));
  EXPECT_EQ(read(own, own.buffer<uint32_t>(5000).value()), Words(5000, 0));
}

CONFORMANCE_TEST(Memory, ThousandLiveBuffersKeepTheirContents) {
  std::vector<collet::Buffer<uint32_t>> buffers;
  auto stream = device.stream();
  for (uint32_t i = 0; i < 1000; ++i) {
    buffers.push_back(device.buffer<uint32_t>(1 + i % 129).value());
    stream.fill(buffers.back(), i);
  }
  ASSERT_OK(stream.wait());
  std::vector<Words> hosts;
  for (uint32_t i = 0; i < 1000; ++i) hosts.emplace_back(1 + i % 129);
  for (uint32_t i = 0; i < 1000; ++i) stream.download(buffers[i], std::span(hosts[i]));
  ASSERT_OK(stream.wait());
  for (uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(hosts[i], Words(1 + i % 129, i)) << i;
}

CONFORMANCE_TEST(Memory, TenThousandTinyBuffersComeAndGo) {
  const auto before = device.memory_usage();
  for (uint32_t i = 0; i < 10'000; ++i) {
    auto buffer = device.buffer<uint32_t>(1 + i % 7);
    ASSERT_OK(buffer);
  }
  ASSERT_OK(device.wait());
  EXPECT_LE(device.memory_usage().reserved, before.reserved + (64u << 20));
}

CONFORMANCE_TEST(Memory, TenThousandTinyBuffersLiveAtOnce) {
  std::vector<collet::Buffer<uint32_t>> buffers;
  for (uint32_t i = 0; i < 10'000; ++i) {
    auto buffer = device.buffer<uint32_t>(4);
    ASSERT_OK(buffer);
    buffers.push_back(std::move(*buffer));
  }
  auto stream = device.stream();
  stream.fill(buffers[5000], 1u);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffers[4999]), Words(4, 0));
  EXPECT_EQ(read(device, buffers[5000]), Words(4, 1));
  EXPECT_EQ(read(device, buffers[5001]), Words(4, 0));
}

CONFORMANCE_TEST(Memory, LargeBuffersComeAndGoInBoundedSpace) {
  auto own = collet::Device::open(device.info().id()).value();
  for (uint32_t i = 0; i < 40; ++i) {
    auto buffer = own.buffer<uint8_t>((8u << 20) + i * 4096, {.label = "large", .zeroed = false});
    ASSERT_OK(buffer);
    ASSERT_LT(own.memory_usage().reserved, 256u << 20) << i;
  }
}

CONFORMANCE_TEST(Memory, OfABufferStaysUntilItsWorkIsDone) {
  auto result = device.buffer<uint32_t>(1).value();
  auto stream = device.stream();
  {
    auto input = device.upload(Words{1}).value();
    for (int i = 0; i < 200; ++i) stream.launch(kernels::spin(), 1, input, kernels::kSpinRounds);
    stream.launch(kernels::copy(), 1, input, result);
  }
  // Would take the place of `input`, were it free.
  std::vector<collet::Buffer<uint32_t>> others;
  for (int i = 0; i < 50; ++i) others.push_back(device.upload(Words{0xbadu}).value());
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, result), Words{kernels::spun(1, 200 * kernels::kSpinRounds)});
}

CONFORMANCE_TEST(Memory, OfABufferStaysUntilItsTransfersAreDone) {
  Words host(100'000);
  auto busy = device.upload(Words{1}).value();
  auto stream = device.stream();
  {
    auto first = device.buffer<uint32_t>(100'000).value();
    auto second = device.buffer<uint32_t>(100'000).value();
    for (int i = 0; i < 100; ++i) stream.launch(kernels::spin(), 1, busy, kernels::kSpinRounds);
    stream.upload(pattern(100'000), first);
    stream.copy(first, second);
    stream.download(second, std::span(host));
  }
  auto other = device.buffer<uint32_t>(100'000).value();
  auto another = device.upload(Words(100'000, 7)).value();
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(host == pattern(100'000));
  EXPECT_TRUE(read(device, other) == Words(100'000, 0));
}

CONFORMANCE_TEST(Memory, RandomSizesNeverShareAByte) {
  std::mt19937 random(12345);
  struct Live {
    collet::Buffer<uint32_t> buffer;
    uint32_t value;
  };
  std::vector<Live> live;
  auto stream = device.stream();
  for (uint32_t step = 0; step < 1500; ++step) {
    if (live.size() > 60 || (live.size() > 5 && random() % 2 == 0)) {
      const std::size_t victim = random() % live.size();
      if (step % 10 == 0) {
        Words host(live[victim].buffer.size());
        stream.download(live[victim].buffer, std::span(host));
        ASSERT_OK(stream.wait());
        ASSERT_EQ(host, Words(host.size(), live[victim].value)) << step;
      }
      std::swap(live[victim], live.back());
      live.pop_back();
    }
    const std::size_t size = 1 + random() % (step % 50 == 0 ? 200'000 : 3000);
    live.push_back({device.buffer<uint32_t>(size).value(), step});
    stream.fill(live.back().buffer, step);
  }
  ASSERT_OK(stream.wait());
  for (const Live& one : live) {
    ASSERT_EQ(read(device, one.buffer), Words(one.buffer.size(), one.value));
  }
}

CONFORMANCE_TEST(Memory, OfAPoolOfItsOwnHasALimit) {
  const collet::Pool pool(device, {.label = "own", .memory = {.limit = 8u << 20}});
  std::vector<collet::Buffer<uint32_t>> buffers;
  auto stream = device.stream();
  for (;;) {
    auto buffer = pool.buffer<uint32_t>(100'000);
    if (!buffer) {
      EXPECT_EQ(buffer.error().code(), collet::ErrorCode::out_of_memory);
      break;
    }
    ASSERT_LE(pool.usage().reserved, 8u << 20);
    buffers.push_back(std::move(*buffer));
    stream.fill(buffers.back(), static_cast<uint32_t>(buffers.size()));
  }
  EXPECT_GE(buffers.size(), 15u);
  auto outside = device.upload(Words(100'000, 5)).value();
  auto copy = device.buffer<uint32_t>(100'000).value();
  stream.copy(buffers.front(), copy);
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(read(device, copy) == Words(100'000, 1));
  EXPECT_TRUE(read(device, buffers.back()) == Words(100'000, static_cast<uint32_t>(buffers.size())));
  EXPECT_TRUE(read(device, outside) == Words(100'000, 5));
  buffers.clear();
  ASSERT_OK(device.wait());
  const auto again = pool.buffer<uint32_t>(100'000);
  ASSERT_OK(again);
  EXPECT_TRUE(read(device, *again) == Words(100'000, 0));
}

CONFORMANCE_TEST(Memory, OfAPoolGoesAfterItsWork) {
  Words host(1000);
  auto stream = device.stream();
  {
    const collet::Pool pool(device, 8u << 20);
    auto first = pool.buffer<uint32_t>(1000).value(), second = pool.buffer<uint32_t>(1000).value();
    stream.upload(pattern(1000), first);
    stream.copy(first, second);
    stream.download(second, std::span(host));
  }
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(host == pattern(1000));
}

CONFORMANCE_TEST(Memory, BeginsWhereItIsAskedTo) {
  std::vector<collet::Buffer<uint32_t>> buffers;
  for (uint32_t i = 0; i < 40; ++i) {
    auto buffer = device.buffer<uint32_t>(10 + i, {.alignment = 1u << (i % 13)});
    ASSERT_OK(buffer);
    buffers.push_back(std::move(*buffer));
  }
  auto stream = device.stream();
  for (uint32_t i = 0; i < 40; ++i) stream.fill(buffers[i], i);
  ASSERT_OK(stream.wait());
  for (uint32_t i = 0; i < 40; ++i) EXPECT_EQ(read(device, buffers[i]), Words(10 + i, i));
}

CONFORMANCE_TEST(Memory, OfScratchServesTheStreamsNextWorkAtOnce) {
  auto own = collet::Device::open(device.info().id()).value();
  auto stream = own.stream();
  const auto result = own.buffer<uint32_t>(1000).value();
  std::vector<Words> hosts(50, Words(1000));
  for (uint32_t i = 0; i < 50; ++i) {
    collet::Scratch scratch = stream.scratch();
    const auto one = scratch.take<uint32_t>(1000).value(), another = scratch.take<uint32_t>(1000).value();
    stream.fill(one, i);
    stream.launch(kernels::copy(), 1000, one, another);
    stream.launch(kernels::copy(), 1000, another, result);
    stream.download(result, std::span(hosts[i]));
  }
  ASSERT_OK(stream.wait());
  for (uint32_t i = 0; i < 50; ++i) EXPECT_EQ(hosts[i], Words(1000, i));
}

}  // namespace conformance
