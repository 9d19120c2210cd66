// Fills with patterns of every size, and copies between buffers.

#include <array>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"

namespace conformance {
namespace {

template <std::size_t kSize>
using Bytes = std::array<uint8_t, kSize>;

// Fills a whole buffer and then a slice of it with two values of kSize bytes that no shorter pattern repeats.
template <std::size_t kSize>
void fill_with_pattern(collet::Device& device) {
  Bytes<kSize> first{}, second{};
  for (std::size_t i = 0; i < kSize; ++i) {
    first[i] = static_cast<uint8_t>(17 * i + 3);
    second[i] = static_cast<uint8_t>(251 - 7 * i);
  }
  auto stream = device.stream();
  for (const std::size_t count : {1u, 2u, 3u, 17u, 1000u, 50'000u}) {
    auto buffer = device.buffer<Bytes<kSize>>(count).value();
    stream.fill(buffer, first);
    stream.fill(buffer.slice(count / 3, count / 2), second);
    ASSERT_OK(stream.wait());
    std::vector<Bytes<kSize>> expected(count, first);
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(count / 3), count / 2, second);
    ASSERT_TRUE(read(device, buffer) == expected) << count << " elements of " << kSize;
  }
}

}  // namespace

CONFORMANCE_TEST(Fill, RepeatsOneByte) { fill_with_pattern<1>(device); }
CONFORMANCE_TEST(Fill, RepeatsTwoBytes) { fill_with_pattern<2>(device); }
CONFORMANCE_TEST(Fill, RepeatsThreeBytes) { fill_with_pattern<3>(device); }
CONFORMANCE_TEST(Fill, RepeatsFourBytes) { fill_with_pattern<4>(device); }
CONFORMANCE_TEST(Fill, RepeatsEightBytes) { fill_with_pattern<8>(device); }
CONFORMANCE_TEST(Fill, RepeatsTwelveBytes) { fill_with_pattern<12>(device); }
CONFORMANCE_TEST(Fill, RepeatsSixteenBytes) { fill_with_pattern<16>(device); }

CONFORMANCE_TEST(Fill, TakesEveryRaggedRangeOfBytes) {
  auto stream = device.stream();
  for (std::size_t offset = 0; offset <= 9; ++offset) {
    for (std::size_t size = 0; size <= 13; ++size) {
      auto buffer = device.buffer<uint8_t>(23).value();
      std::vector<uint8_t> back(23), expected(23, 0);
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(offset), size, uint8_t{0x5a});
      stream.fill(buffer.slice(offset, size), uint8_t{0x5a});
      stream.download(buffer, std::span(back));
      ASSERT_OK(stream.wait());
      ASSERT_EQ(back, expected) << size << " bytes at " << offset;
    }
  }
}

CONFORMANCE_TEST(Fill, TakesRaggedRangesOfShorts) {
  auto buffer = device.buffer<uint16_t>(101).value();
  auto stream = device.stream();
  stream.fill(buffer, uint16_t{0x1234});
  stream.fill(buffer.slice(1, 3), uint16_t{0xabcd});
  stream.fill(buffer.slice(99, 2), uint16_t{7});
  ASSERT_OK(stream.wait());
  std::vector<uint16_t> expected(101, 0x1234);
  std::fill_n(expected.begin() + 1, 3, uint16_t{0xabcd});
  expected[99] = expected[100] = 7;
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Fill, WithZeroClears) {
  auto buffer = device.upload(pattern(1000)).value();
  auto stream = device.stream();
  stream.fill(buffer, 0u);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(1000, 0));
}

CONFORMANCE_TEST(Fill, IsOrderedAgainstKernels) {
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  for (uint32_t i = 0; i < 30; ++i) {
    stream.fill(buffer, i);
    stream.launch(kernels::increment(), 1000, buffer);
    stream.launch(kernels::increment(), 500, buffer);
  }
  ASSERT_OK(stream.wait());
  Words expected(1000, 30);
  std::fill_n(expected.begin(), 500, 31u);
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Fill, OfALargeBufferReachesItsEnd) {
  constexpr std::size_t kCount = 4u << 20;
  auto buffer = device.buffer<uint32_t>(kCount + 1).value();
  auto stream = device.stream();
  stream.fill(buffer, 0x01020304u);
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(read(device, buffer) == Words(kCount + 1, 0x01020304u));
}

CONFORMANCE_TEST(Fill, BeyondTheEndIsRefused) {
  auto buffer = device.buffer<uint32_t>(10).value();
  auto stream = device.stream();
  stream.fill(buffer.slice(5, 6), 1u);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"5", "6", "10"});
  EXPECT_EQ(read(device, buffer), Words(10, 0));
}

CONFORMANCE_TEST(Fill, OfABufferOfAnotherDeviceIsRefused) {
  collet::Device peer = peer_of(device);
  auto buffer = peer.buffer<uint32_t>(4).value();
  auto stream = device.stream();
  stream.fill(buffer, 1u);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {device.info().id(), peer.info().id()});
  EXPECT_EQ(read(peer, buffer), Words(4, 0));
}

CONFORMANCE_TEST(Copy, OfAWholeBuffer) {
  for (const std::size_t count : {1u, 3u, 1000u, 3u << 20}) {
    const Words host = pattern(count);
    auto from = device.upload(host).value();
    auto to = device.buffer<uint32_t>(count).value();
    auto stream = device.stream();
    stream.copy(from, to);
    ASSERT_OK(stream.wait());
    EXPECT_TRUE(read(device, to) == host) << count;
    EXPECT_TRUE(read(device, from) == host) << count;
  }
}

CONFORMANCE_TEST(Copy, OfSlicesLeavesTheRest) {
  auto from = device.upload(counting(100)).value();
  auto to = device.buffer<uint32_t>(50).value();
  auto stream = device.stream();
  stream.copy(from.slice(90, 10), to.slice(5, 10));
  stream.copy(from.slice(33, 1), to.slice(49, 1));
  ASSERT_OK(stream.wait());
  Words expected(50, 0);
  std::iota(expected.begin() + 5, expected.begin() + 15, 90u);
  expected[49] = 33;
  EXPECT_EQ(read(device, to), expected);
}

CONFORMANCE_TEST(Copy, OfBytesAtEveryAlignment) {
  const auto host = byte_pattern(64);
  auto from = device.upload(host).value();
  auto stream = device.stream();
  for (const std::size_t size : {1u, 2u, 3u, 7u, 16u, 33u}) {
    for (std::size_t source = 0; source <= 5; ++source) {
      for (std::size_t target = 0; target <= 5; ++target) {
        auto to = device.buffer<uint8_t>(41).value();
        std::vector<uint8_t> back(41), expected(41, 0);
        std::copy_n(host.begin() + static_cast<std::ptrdiff_t>(source), size,
                    expected.begin() + static_cast<std::ptrdiff_t>(target));
        stream.copy(from.slice(source, size), to.slice(target, size));
        stream.download(to, std::span(back));
        ASSERT_OK(stream.wait());
        ASSERT_EQ(back, expected) << size << " bytes from " << source << " to " << target;
      }
    }
  }
}

CONFORMANCE_TEST(Copy, InsideOneBufferBetweenPartsThatDoNotOverlap) {
  auto buffer = device.upload(counting(20)).value();
  auto stream = device.stream();
  stream.copy(buffer.slice(0, 5), buffer.slice(10, 5));
  stream.copy(buffer.slice(10, 5), buffer.slice(15, 5));
  ASSERT_OK(stream.wait());
  Words expected = counting(20);
  for (uint32_t i = 0; i < 10; ++i) expected[10 + i] = i % 5;
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Copy, OntoItselfIsRefused) {
  auto buffer = device.upload(counting(20), {.label = "ring"}).value();
  auto stream = device.stream();
  stream.copy(buffer.slice(0, 11), buffer.slice(8, 11));
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"ring", "0-11", "8-19", "overlap"});
  stream.copy(buffer, buffer);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"ring", "overlap"});
  stream.copy(buffer.slice(4, 1), buffer.slice(4, 1));
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"ring", "overlap"});
  EXPECT_EQ(read(device, buffer), counting(20));
}

CONFORMANCE_TEST(Copy, OfDifferentSizesIsRefusedWithBothFigures) {
  auto from = device.upload(counting(7)).value();
  auto to = device.buffer<uint32_t>(9).value();
  auto stream = device.stream();
  stream.copy(from, to);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"28", "36"});
  EXPECT_EQ(read(device, to), Words(9, 0));
}

CONFORMANCE_TEST(Copy, BeyondTheEndIsRefused) {
  auto from = device.upload(counting(7), {.label = "source"}).value();
  auto to = device.buffer<uint32_t>(9, {.label = "target"}).value();
  auto stream = device.stream();
  stream.copy(from.slice(5, 3), to.slice(0, 3));
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"source", "5", "3", "7"});
  stream.copy(from.slice(0, 3), to.slice(7, 3));
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"target", "7", "3", "9"});
  EXPECT_EQ(read(device, to), Words(9, 0));
}

CONFORMANCE_TEST(Copy, OfNothingIsValid) {
  auto from = device.upload(counting(7)).value();
  auto to = device.buffer<uint32_t>(9).value();
  auto stream = device.stream();
  stream.copy(from.slice(7, 0), to.slice(0, 0));
  stream.copy(from.slice(3, 0), from.slice(3, 0));
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Copy, FromABufferOfAnotherDeviceIsRefused) {
  collet::Device peer = peer_of(device);
  auto from = peer.upload(Words{1, 2, 3}).value();
  auto to = device.buffer<uint32_t>(3).value();
  auto stream = device.stream();
  stream.copy(from, to);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {device.info().id(), peer.info().id()});
}

CONFORMANCE_TEST(Copy, ChainsKeepTheirOrder) {
  auto first = device.upload(pattern(5000)).value();
  auto second = device.buffer<uint32_t>(5000).value();
  auto third = device.buffer<uint32_t>(5000).value();
  auto stream = device.stream();
  for (int round = 0; round < 40; ++round) {
    stream.copy(first, second);
    stream.copy(second, third);
    stream.fill(second, 1u);
    stream.launch(kernels::increment(), 5000, third);
    stream.copy(third, first);
  }
  ASSERT_OK(stream.wait());
  Words expected = pattern(5000);
  for (uint32_t& word : expected) word += 40;
  EXPECT_EQ(read(device, first), expected);
}

}  // namespace conformance
