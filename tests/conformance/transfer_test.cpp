// Uploads and downloads: every size and alignment, order, and what is refused.

#include <optional>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"

namespace conformance {

CONFORMANCE_TEST(Transfer, ReturnsWhatItTookInEverySmallSize) {
  auto stream = device.stream();
  for (std::size_t size = 1; size <= 70; ++size) {
    const auto host = byte_pattern(size, static_cast<uint32_t>(size));
    auto buffer = device.buffer<uint8_t>(size).value();
    std::vector<uint8_t> back(size);
    stream.upload(host, buffer);
    stream.download(buffer, std::span(back));
    ASSERT_OK(stream.wait());
    EXPECT_EQ(back, host) << size;
  }
}

CONFORMANCE_TEST(Transfer, UploadsToEveryAlignmentAndLeavesTheRest) {
  auto stream = device.stream();
  for (const std::size_t size : {1u, 2u, 3u, 4u, 5u, 8u, 13u, 16u, 31u}) {
    for (std::size_t offset = 0; offset <= 17; ++offset) {
      auto buffer = device.buffer<uint8_t>(49).value();
      std::vector<uint8_t> expected(49, 0xee);
      const auto part = byte_pattern(size);
      std::copy(part.begin(), part.end(), expected.begin() + static_cast<std::ptrdiff_t>(offset));
      std::vector<uint8_t> back(49);
      stream.fill(buffer, uint8_t{0xee});
      stream.upload(part, buffer.slice(offset, size));
      stream.download(buffer, std::span(back));
      ASSERT_OK(stream.wait());
      ASSERT_EQ(back, expected) << size << " bytes at " << offset;
    }
  }
}

CONFORMANCE_TEST(Transfer, DownloadsFromEveryAlignment) {
  const auto host = byte_pattern(64);
  auto buffer = device.upload(host).value();
  auto stream = device.stream();
  for (const std::size_t size : {1u, 2u, 3u, 4u, 7u, 16u, 33u}) {
    for (std::size_t offset = 0; offset <= 17; ++offset) {
      std::vector<uint8_t> back(size + 2, 0x11);
      stream.download(buffer.slice(offset, size), std::span(back).subspan(1, size));
      ASSERT_OK(stream.wait());
      std::vector<uint8_t> expected(size + 2, 0x11);
      std::copy_n(host.begin() + static_cast<std::ptrdiff_t>(offset), size, expected.begin() + 1);
      ASSERT_EQ(back, expected) << size << " bytes at " << offset;
    }
  }
}

CONFORMANCE_TEST(Transfer, OfAnOddLargeSliceReturnsIt) {
  constexpr std::size_t kSize = (5u << 20) + 3;
  const auto host = byte_pattern(kSize);
  auto buffer = device.buffer<uint8_t>(kSize + 2).value();
  std::vector<uint8_t> back(kSize);
  uint8_t before = 1, after = 1;
  auto stream = device.stream();
  stream.upload(host, buffer.slice(1, kSize));
  stream.download(buffer.slice(1, kSize), std::span(back));
  stream.download(buffer.slice(0, 1), std::span(&before, 1));
  stream.download(buffer.slice(kSize + 1, 1), std::span(&after, 1));
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(back == host);
  EXPECT_EQ(before, 0);
  EXPECT_EQ(after, 0);
}

CONFORMANCE_TEST(Transfer, UploadCopiesBeforeItReturns) {
  for (const std::size_t count : {3u, 5000u, 3u << 20}) {
    auto buffer = device.buffer<uint32_t>(count).value();
    auto busy = device.buffer<uint32_t>(1).value();
    const Words expected = pattern(count);
    Words host = expected;
    auto stream = device.stream();
    stream.launch(kernels::spin(), 1, busy, kernels::kSpinRounds);
    stream.upload(host, buffer);
    std::fill(host.begin(), host.end(), 0u);
    ASSERT_OK(stream.wait());
    EXPECT_TRUE(read(device, buffer) == expected) << count;
  }
}

CONFORMANCE_TEST(Transfer, BorrowedUploadArrives) {
  for (const std::size_t count : {1u, 1001u, 3u << 20}) {
    auto buffer = device.buffer<uint32_t>(count).value();
    const Words host = pattern(count, 3);
    auto stream = device.stream();
    stream.upload_borrowed(std::span<const uint32_t>(host), buffer);
    ASSERT_OK(stream.wait());
    EXPECT_TRUE(read(device, buffer) == host) << count;
  }
}

CONFORMANCE_TEST(Transfer, BorrowedUploadIsOrderedAgainstKernels) {
  const Words host = counting(1000);
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  stream.launch(kernels::iota(), 1000, buffer, 77u);
  stream.upload_borrowed(std::span<const uint32_t>(host), buffer);
  stream.launch(kernels::increment(), 1000, buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), counting(1000, 1));
}

CONFORMANCE_TEST(Transfer, LaterUploadsWin) {
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  for (uint32_t round = 0; round <= 50; ++round) stream.upload(Words(1000, round), buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(1000, 50));
}

CONFORMANCE_TEST(Transfer, DownloadSeesNothingOfLaterUploads) {
  auto buffer = device.upload(pattern(1000)).value();
  Words host(1000);
  auto stream = device.stream();
  stream.download(buffer, std::span(host));
  stream.upload(Words(1000, 9), buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(host, pattern(1000));
  EXPECT_EQ(read(device, buffer), Words(1000, 9));
}

CONFORMANCE_TEST(Transfer, DownloadSeesNothingOfLaterFills) {
  auto buffer = device.upload(pattern(1000)).value();
  Words host(1000);
  auto stream = device.stream();
  stream.download(buffer, std::span(host));
  stream.fill(buffer.slice(500, 1), 9u);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(host, pattern(1000));
}

CONFORMANCE_TEST(Transfer, DownloadSeesNothingOfLaterCopies) {
  auto buffer = device.upload(pattern(1000)).value();
  auto other = device.buffer<uint32_t>(1000).value();
  Words host(1000);
  auto stream = device.stream();
  stream.download(buffer, std::span(host));
  stream.copy(other, buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(host, pattern(1000));
  EXPECT_EQ(read(device, buffer), Words(1000, 0));
}

CONFORMANCE_TEST(Transfer, DownloadsBetweenLaunchesSeeEachState) {
  auto buffer = device.buffer<uint32_t>(256).value();
  std::vector<Words> states(20, Words(256));
  auto stream = device.stream();
  for (Words& state : states) {
    stream.launch(kernels::increment(), 256, buffer);
    stream.download(buffer, std::span(state));
  }
  ASSERT_OK(stream.wait());
  for (uint32_t i = 0; i < states.size(); ++i) EXPECT_EQ(states[i], Words(256, i + 1));
}

CONFORMANCE_TEST(Transfer, UploadsBetweenLaunchesReachTheNextOne) {
  auto input = device.buffer<uint32_t>(64).value();
  auto output = device.buffer<uint32_t>(64 * 20).value();
  auto stream = device.stream();
  for (uint32_t i = 0; i < 20; ++i) {
    stream.upload(Words(64, i * 3), input);
    stream.launch(kernels::copy(), 64, input, output.slice(64 * i, 64));
  }
  ASSERT_OK(stream.wait());
  const Words all = read(device, output);
  for (uint32_t i = 0; i < 64 * 20; ++i) ASSERT_EQ(all[i], i / 64 * 3) << i;
}

CONFORMANCE_TEST(Transfer, UploadsMuchMoreThanTheStagingMemoryHolds) {
  constexpr std::size_t kCount = 2u << 20;  // 8 MiB each
  auto buffer = device.buffer<uint32_t>(kCount).value();
  auto sink = device.buffer<uint32_t>(16).value();
  auto stream = device.stream();
  for (uint32_t i = 0; i < 16; ++i) {
    stream.upload(Words(kCount, i + 1), buffer);
    stream.copy(buffer.slice(kCount - 1 - i, 1), sink.slice(i, 1));
  }
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, sink), counting(16, 1));
}

CONFORMANCE_TEST(Transfer, ManySmallUploadsLandWhereTheyShould) {
  auto buffer = device.buffer<uint32_t>(2000).value();
  auto stream = device.stream();
  const Words host = pattern(2000);
  for (std::size_t i = 0; i < 2000; ++i) {
    stream.upload(std::span<const uint32_t>(&host[i], 1), buffer.slice(i, 1));
  }
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), host);
}

CONFORMANCE_TEST(Transfer, ManySmallDownloadsBringWhatTheyShould) {
  const Words expected = pattern(2000);
  auto buffer = device.upload(expected).value();
  Words host(2000);
  auto stream = device.stream();
  for (std::size_t i = 0; i < 2000; ++i) stream.download(buffer.slice(i, 1), std::span(&host[i], 1));
  ASSERT_OK(stream.wait());
  EXPECT_EQ(host, expected);
}

CONFORMANCE_TEST(Transfer, OfNothingIsValid) {
  auto buffer = device.buffer<uint32_t>(4).value();
  auto stream = device.stream();
  stream.upload(std::span<const uint32_t>{}, buffer.slice(2, 0));
  stream.upload_borrowed(std::span<const uint32_t>{}, buffer.slice(4, 0));
  stream.download(buffer.slice(0, 0), std::span<uint32_t>{});
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Transfer, FromANullPointerWithASizeIsRefused) {
  auto buffer = device.buffer<uint32_t>(4, {.label = "target"}).value();
  uint32_t* nowhere = nullptr;
  auto stream = device.stream();
  stream.upload(std::span<const uint32_t>(nowhere, 4), buffer);
  expect_cause(stream.wait(), ErrorCode::invalid_argument, Cause::null_pointer, {"16", "target"});
  stream.upload_borrowed(std::span<const uint32_t>(nowhere, 4), buffer);
  expect_cause(stream.wait(), ErrorCode::invalid_argument, Cause::null_pointer, {"16", "target"});
  stream.download(buffer, std::span<uint32_t>(nowhere, 4));
  expect_cause(stream.wait(), ErrorCode::invalid_argument, Cause::null_pointer, {"16", "target"});
}

CONFORMANCE_TEST(Transfer, OfDifferentSizesIsRefusedWithBothFigures) {
  auto buffer = device.buffer<uint32_t>(5).value();
  Words host(3);
  auto stream = device.stream();
  stream.upload(host, buffer);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"12", "20"});
  stream.download(buffer, std::span(host));
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"12", "20"});
  EXPECT_EQ(host, Words(3, 0));
}

CONFORMANCE_TEST(Transfer, BeyondTheEndIsRefusedAndChangesNothing) {
  auto buffer = device.upload(Words{1, 2, 3}).value();
  auto stream = device.stream();
  stream.upload(Words{7, 8, 9}, buffer.slice(1, 3));
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"1", "3"});
  EXPECT_EQ(read(device, buffer), (Words{1, 2, 3}));
}

CONFORMANCE_TEST(Transfer, ToABufferOfAnotherDeviceIsRefused) {
  collet::Device peer = peer_of(device);
  auto buffer = peer.buffer<uint32_t>(4, {.label = "over there"}).value();
  Words host(4);
  auto stream = device.stream();
  stream.upload(host, buffer);
  expect_error(stream.wait(), ErrorCode::invalid_argument,
               {"over there", device.info().id(), peer.info().id()});
  stream.download(buffer, std::span(host));
  expect_error(stream.wait(), ErrorCode::invalid_argument,
               {"over there", device.info().id(), peer.info().id()});
}

CONFORMANCE_TEST(Transfer, HasStreamsOfItsOwn) {
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto other = device.buffer<uint32_t>(1000).value();
  Words host(1000);
  auto stream = device.stream({.label = "copies", .transfer_only = true});
  stream.upload(pattern(1000), buffer);
  stream.copy(buffer, other);
  stream.fill(other.slice(10, 10), 4u);
  stream.download(other, std::span(host));
  ASSERT_OK(stream.wait());
  Words expected = pattern(1000);
  std::fill_n(expected.begin() + 10, 10, 4u);
  EXPECT_EQ(host, expected);
}

CONFORMANCE_TEST(Transfer, StreamsRefuseLaunches) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream({.label = "copies", .transfer_only = true});
  stream.launch(kernels::increment(), 64, buffer);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"copies", "increment"});
  EXPECT_EQ(read(device, buffer), Words(64, 0));
}

CONFORMANCE_TEST(Transfer, StreamFeedsAComputeStream) {
  auto transfers = device.stream({.label = "copies", .transfer_only = true});
  auto compute = device.stream();
  auto buffer = device.buffer<uint32_t>(100'000).value();
  Words host(100'000);
  for (uint32_t round = 0; round < 5; ++round) {
    transfers.upload(counting(100'000, round), buffer);
    compute.wait_for(transfers.record());
    compute.launch(kernels::increment(), 100'000, buffer);
    transfers.wait_for(compute.record());
    transfers.download(buffer, std::span(host));
    ASSERT_OK(transfers.wait());
    ASSERT_EQ(host, counting(100'000, round + 1));
  }
  EXPECT_OK(compute.wait());
}

}  // namespace conformance
