// Buffers: zeroed, sized, labelled, sliced.

#include <array>
#include <limits>

#include "conformance/conformance.hpp"

namespace conformance {
namespace {

// A size that no allocator likes, and three words so that no fill pattern of four bytes makes it.
struct Triple {
  uint32_t a = 0, b = 0, c = 0;
  friend bool operator==(const Triple&, const Triple&) = default;
};

}  // namespace

CONFORMANCE_TEST(Buffer, IsZeroWhenMade) {
  for (const std::size_t count : {1u, 2u, 3u, 5u, 1000u, 65'537u}) {
    auto buffer = device.buffer<uint32_t>(count).value();
    EXPECT_EQ(read(device, buffer), Words(count, 0)) << count;
  }
}

CONFORMANCE_TEST(Buffer, OfOddSizesIsZeroWhenMade) {
  for (const std::size_t count : {1u, 2u, 3u, 5u, 7u, 15u, 17u, 63u, 65u, 4097u}) {
    auto buffer = device.buffer<uint8_t>(count).value();
    EXPECT_EQ(read(device, buffer), std::vector<uint8_t>(count, 0)) << count;
  }
}

CONFORMANCE_TEST(Buffer, IsZeroAgainWhenItsMemoryIsUsedTwice) {
  for (const std::size_t count : {1u, 16u, 100u, 4096u, 100'000u}) {
    for (int round = 0; round < 4; ++round) {
      auto buffer = device.buffer<uint32_t>(count).value();
      ASSERT_EQ(read(device, buffer), Words(count, 0)) << count << " in round " << round;
      auto stream = device.stream();
      stream.fill(buffer, 0xdeadbeefu);
      ASSERT_OK(stream.wait());
    }
  }
}

CONFORMANCE_TEST(Buffer, IsZeroWhenItIsCutFromMemoryOfOthers) {
  auto stream = device.stream();
  {
    std::vector<collet::Buffer<uint32_t>> dirty;
    for (std::size_t i = 0; i < 64; ++i) {
      dirty.push_back(device.buffer<uint32_t>(37 + 11 * i).value());
      stream.fill(dirty.back(), 0xa5a5a5a5u);
    }
    ASSERT_OK(stream.wait());
  }
  for (std::size_t count : {9u, 200u, 3000u, 20'000u}) {
    EXPECT_EQ(read(device, device.buffer<uint32_t>(count).value()), Words(count, 0)) << count;
  }
}

CONFORMANCE_TEST(Buffer, IsZeroThoughThePreviousOwnerWasStillAtWork) {
  auto stream = device.stream();
  for (int round = 0; round < 50; ++round) {
    {
      auto dirty = device.buffer<uint32_t>(10'000).value();
      stream.fill(dirty, 0xffffffffu);
    }
    auto clean = device.buffer<uint32_t>(10'000).value();
    ASSERT_EQ(read(device, clean), Words(10'000, 0)) << round;
  }
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Buffer, NotZeroedIsUsableAllTheSame) {
  auto buffer = device.buffer<uint32_t>(1000, {.label = "raw", .zeroed = false}).value();
  const Words host = pattern(1000);
  auto stream = device.stream();
  stream.upload(host, buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), host);
}

CONFORMANCE_TEST(Buffer, OfNoElementsIsValid) {
  auto buffer = device.buffer<uint32_t>(0);
  ASSERT_OK(buffer);
  EXPECT_EQ(buffer->size(), 0u);
  EXPECT_EQ(buffer->bytes(), 0u);
  EXPECT_TRUE(buffer->empty());
}

CONFORMANCE_TEST(Buffer, OfNoElementsTakesEveryOperation) {
  auto empty = device.buffer<uint32_t>(0).value();
  auto other = device.buffer<uint32_t>(0).value();
  auto stream = device.stream();
  Words host;
  stream.upload(host, empty);
  stream.fill(empty, 7u);
  stream.copy(empty, other);
  stream.download(empty, std::span(host));
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Buffer, OfOneElementKeepsIt) {
  auto buffer = device.upload(Words{0x01020304}).value();
  EXPECT_EQ(buffer.size(), 1u);
  EXPECT_EQ(buffer.bytes(), 4u);
  EXPECT_EQ(read(device, buffer), Words{0x01020304});
}

CONFORMANCE_TEST(Buffer, OfSixtyFourMebibytesIsZeroAndKeepsItsContents) {
  constexpr std::size_t kCount = 16u << 20;
  auto buffer = device.buffer<uint32_t>(kCount).value();
  Words host(kCount, 1);
  auto stream = device.stream();
  stream.download(buffer, std::span(host));
  ASSERT_OK(stream.wait());
  EXPECT_EQ(std::count(host.begin(), host.end(), 0u), static_cast<std::ptrdiff_t>(kCount));

  const Words expected = pattern(kCount);
  stream.upload(expected, buffer);
  stream.download(buffer, std::span(host));
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(host == expected);
}

CONFORMANCE_TEST(Buffer, LargerThanTheDeviceAllowsIsRefusedWithItsFigure) {
  const uint64_t most = caps(device).max_allocation;
  ASSERT_GT(most, 0u);
  ASSERT_LT(most, std::numeric_limits<uint64_t>::max() - 16);
  auto buffer = device.buffer<uint8_t>(most + 1);
  ASSERT_FALSE(buffer);
  EXPECT_TRUE(buffer.error().code() == ErrorCode::unsupported ||
              buffer.error().code() == ErrorCode::out_of_memory)
      << buffer.error();
  EXPECT_NE(buffer.error().message().find(std::to_string(most)), std::string::npos) << buffer.error();
  EXPECT_NE(buffer.error().message().find(std::to_string(most + 1)), std::string::npos) << buffer.error();
}

CONFORMANCE_TEST(Buffer, WhoseSizeOverflowsIsRefused) {
  constexpr uint64_t kCount = (uint64_t{1} << 62) + 1;  // times 4 wraps to 4 bytes
  auto buffer = device.buffer<uint32_t>(kCount);
  ASSERT_FALSE(buffer);
  EXPECT_NE(buffer.error().code(), ErrorCode::internal) << buffer.error();
  EXPECT_NE(buffer.error().message().find(std::to_string(kCount)), std::string::npos) << buffer.error();
  EXPECT_FALSE(device.buffer<uint32_t>(std::numeric_limits<uint64_t>::max()));
  EXPECT_FALSE(device.buffer<uint8_t>(std::numeric_limits<uint64_t>::max()));
}

CONFORMANCE_TEST(Buffer, RefusedSizesLeaveTheDeviceUsable) {
  ASSERT_FALSE(device.buffer<uint8_t>(caps(device).max_allocation + 1));
  auto buffer = device.upload(Words{1, 2, 3});
  ASSERT_OK(buffer);
  EXPECT_EQ(read(device, *buffer), (Words{1, 2, 3}));
}

CONFORMANCE_TEST(Buffer, KeepsItsLabel) {
  auto buffer = device.buffer<uint32_t>(4, {.label = "weights"}).value();
  EXPECT_EQ(buffer.label(), "weights");
  EXPECT_EQ(device.buffer<uint32_t>(4).value().label(), "");
}

CONFORMANCE_TEST(Buffer, LabelReachesErrors) {
  auto buffer = device.buffer<uint32_t>(4, {.label = "weights"}).value();
  auto stream = device.stream();
  stream.fill(buffer.slice(2, 3), 1u);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"weights"});
}

CONFORMANCE_TEST(Buffer, KeepsItsContentsWhenMoved) {
  auto first = device.upload(Words{5, 6, 7}).value();
  auto second = std::move(first);
  EXPECT_EQ(read(device, second), (Words{5, 6, 7}));
  second = device.upload(Words{8, 9}).value();
  EXPECT_EQ(second.size(), 2u);
  EXPECT_EQ(read(device, second), (Words{8, 9}));
}

CONFORMANCE_TEST(Buffer, HoldsStructsOfTwelveBytes) {
  std::vector<Triple> host(101);
  for (uint32_t i = 0; i < host.size(); ++i) host[i] = {i, i * i, ~i};
  auto buffer = device.upload(host).value();
  EXPECT_EQ(buffer.bytes(), 1212u);
  EXPECT_EQ(read(device, buffer), host);
}

CONFORMANCE_TEST(Buffer, IsMadeFromASpanOfConstants) {
  const std::array<uint32_t, 3> host{3, 2, 1};
  auto buffer = device.upload(std::span<const uint32_t>(host)).value();
  EXPECT_EQ(read(device, buffer), (Words{3, 2, 1}));
}

CONFORMANCE_TEST(Buffer, IsMadeFromAnEmptyVector) {
  auto buffer = device.upload(Words{});
  ASSERT_OK(buffer);
  EXPECT_TRUE(buffer->empty());
}

CONFORMANCE_TEST(Buffer, MadeFromANullPointerWithASizeIsRefused) {
  const uint32_t* nowhere = nullptr;
  auto buffer = device.upload(std::span<const uint32_t>(nowhere, 4));
  expect_cause(buffer, ErrorCode::invalid_argument, Cause::null_pointer, {"16"});
}

CONFORMANCE_TEST(Buffer, DoesNotTouchItsNeighbours) {
  auto stream = device.stream();
  std::vector<collet::Buffer<uint8_t>> buffers;
  for (std::size_t i = 0; i < 100; ++i) {
    buffers.push_back(device.buffer<uint8_t>(1 + i % 37).value());
    stream.fill(buffers.back(), static_cast<uint8_t>(i + 1));
  }
  // Every other one again, in another value.
  for (std::size_t i = 0; i < 100; i += 2) stream.fill(buffers[i], static_cast<uint8_t>(200));
  ASSERT_OK(stream.wait());
  for (std::size_t i = 0; i < 100; ++i) {
    const auto value = static_cast<uint8_t>(i % 2 == 0 ? 200 : i + 1);
    EXPECT_EQ(read(device, buffers[i]), std::vector<uint8_t>(1 + i % 37, value)) << i;
  }
}

CONFORMANCE_TEST(Slice, BeyondTheEndIsRefusedWithItsFigures) {
  auto buffer = device.buffer<uint32_t>(10).value();
  Words host(7);
  auto stream = device.stream();
  stream.download(buffer.slice(8, 7), std::span(host));
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"8", "7", "10"});
}

CONFORMANCE_TEST(Slice, WhoseEndOverflowsIsRefused) {
  auto buffer = device.buffer<uint32_t>(10).value();
  auto stream = device.stream();
  for (const uint64_t first : {std::numeric_limits<uint64_t>::max(), uint64_t{1} << 62, uint64_t{1} << 63}) {
    stream.fill(buffer.slice(first, 2), 1u);
    expect_error(stream.wait(), ErrorCode::invalid_argument);
    stream.fill(buffer.slice(2, first), 1u);
    expect_error(stream.wait(), ErrorCode::invalid_argument);
  }
  EXPECT_EQ(read(device, buffer), Words(10, 0));
}

CONFORMANCE_TEST(Slice, OfNothingIsValidUpToTheEndOfTheBuffer) {
  auto buffer = device.buffer<uint32_t>(10).value();
  auto stream = device.stream();
  stream.fill(buffer.slice(0, 0), 1u);
  stream.fill(buffer.slice(10, 0), 1u);
  EXPECT_OK(stream.wait());
  stream.fill(buffer.slice(11, 0), 1u);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"11", "10"});
  EXPECT_EQ(read(device, buffer), Words(10, 0));
}

CONFORMANCE_TEST(Slice, IsSeenAsElementsOfAnotherType) {
  const auto floats = device.upload({1.0f, -2.0f, 3.0f, 4.0f}).value();
  auto stream = device.stream();
  EXPECT_EQ(floats.as<std::uint8_t>().size(), 16u);
  EXPECT_EQ(stream.download(floats.slice(1, 2).as<std::uint32_t>()).value(),
            (std::vector<std::uint32_t>{0xc0000000u, 0x40400000u}));
  stream.fill(floats.slice(2, 2).as<std::uint64_t>(), std::uint64_t{0});
  EXPECT_EQ(stream.download(floats).value(), (std::vector<float>{1.0f, -2.0f, 0.0f, 0.0f}));
}

CONFORMANCE_TEST(Slice, ThatIsNoWholeNumberOfElementsIsRefused) {
  const auto floats = device.buffer<float>(5, {.label = "five"}).value();
  auto stream = device.stream();
  for (const auto& view : {floats.as<std::uint64_t>(), floats.slice(1, 2).as<std::uint64_t>(),
                           floats.slice(0, ~std::uint64_t{0}).as<std::uint64_t>()}) {
    stream.fill(view, 1u);
    const auto done = stream.wait();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), ErrorCode::invalid_argument);
    const std::string_view said = "\"five\"] is used as elements of 8 bytes, and is no whole number";
    EXPECT_NE(done.error().message().find(said), std::string::npos) << done.error().describe();
    const auto read = stream.download(view);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message().find(said), std::string::npos) << read.error().describe();
  }
  EXPECT_FALSE(stream.download(floats.slice(0, ~std::uint64_t{0} / 2)));  // no memory is asked for
}

CONFORMANCE_TEST(Slice, KnowsItsSize) {
  auto buffer = device.buffer<uint32_t>(10).value();
  EXPECT_EQ(buffer.slice(3, 4).size(), 4u);
  EXPECT_EQ(collet::View<uint32_t>(buffer).size(), 10u);
}

}  // namespace conformance
