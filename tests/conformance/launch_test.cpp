// Launches: by elements and by groups, in one to three dimensions, and what is refused.

#include <limits>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"
#include "conformance/sources.hpp"

namespace conformance {
namespace {

Words packed_indices(uint32_t width, uint32_t height, uint32_t depth) {
  Words expected;
  for (uint32_t z = 0; z < depth; ++z) {
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x) expected.push_back(x | (y << 10) | (z << 20));
    }
  }
  return expected;
}

Words packed_groups(uint32_t x_groups, uint32_t y_groups, uint32_t z_groups, uint32_t items) {
  Words expected;
  for (uint32_t z = 0; z < z_groups; ++z) {
    for (uint32_t y = 0; y < y_groups; ++y) {
      for (uint32_t x = 0; x < x_groups; ++x) {
        for (uint32_t item = 0; item < items; ++item) {
          expected.push_back(x | (y << 8) | (z << 16) | (item << 24));
        }
      }
    }
  }
  return expected;
}

}  // namespace

CONFORMANCE_TEST(Launch, RunsOncePerElement) {
  auto stream = device.stream();
  for (const uint32_t count : {1u, 2u, 63u, 64u, 65u, 127u, 1000u, 4097u, 100'000u}) {
    auto buffer = device.buffer<uint32_t>(count).value();
    stream.launch(kernels::increment(), count, buffer);
    stream.launch(kernels::increment(), count, buffer);
    ASSERT_OK(stream.wait());
    EXPECT_EQ(read(device, buffer), Words(count, 2)) << count;
  }
}

CONFORMANCE_TEST(Launch, OfARaggedCountTouchesNothingBeyond) {
  auto buffer = device.buffer<uint32_t>(300).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), 201, buffer);
  ASSERT_OK(stream.wait());
  Words expected(300, 0);
  std::fill_n(expected.begin(), 201, 1u);
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Launch, InTwoDimensionsWithRaggedEnds) {
  const std::vector<std::pair<uint32_t, uint32_t>> sizes{{1, 1}, {7, 3}, {8, 8}, {9, 17}, {100, 1}, {1, 100}};
  auto stream = device.stream();
  const auto index2d = kernels::index3d().with(collet::group(8, 8));
  for (const auto& [width, height] : sizes) {
    auto buffer = device.buffer<uint32_t>(width * height).value();
    stream.launch(index2d, collet::elements(width, height), buffer);
    ASSERT_OK(stream.wait());
    EXPECT_EQ(read(device, buffer), packed_indices(width, height, 1)) << width << " x " << height;
  }
}

CONFORMANCE_TEST(Launch, InThreeDimensionsWithRaggedEnds) {
  const std::vector<std::array<uint32_t, 3>> sizes{{1, 1, 1}, {4, 4, 4}, {5, 3, 7}, {17, 1, 9}, {1, 33, 2}};
  auto stream = device.stream();
  for (const auto& [width, height, depth] : sizes) {
    auto buffer = device.buffer<uint32_t>(width * height * depth).value();
    stream.launch(kernels::index3d(), collet::elements(width, height, depth), buffer);
    ASSERT_OK(stream.wait());
    EXPECT_EQ(read(device, buffer), packed_indices(width, height, depth))
        << width << " " << height << " " << depth;
  }
}

CONFORMANCE_TEST(Launch, ByGroupsInOneDimension) {
  auto buffer = device.buffer<uint32_t>(32 * 10).value();
  auto stream = device.stream();
  stream.launch(kernels::group_ids(), collet::groups(10), buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), packed_groups(10, 1, 1, 32));
}

CONFORMANCE_TEST(Launch, ByGroupsInTwoDimensions) {
  const auto kernel = kernels::group_ids().with(collet::group(4, 8));
  auto buffer = device.buffer<uint32_t>(32 * 3 * 5).value();
  auto stream = device.stream();
  stream.launch(kernel, collet::groups(3, 5), buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), packed_groups(3, 5, 1, 32));
}

CONFORMANCE_TEST(Launch, ByGroupsInThreeDimensions) {
  const auto kernel = kernels::group_ids().with(collet::group(2, 3, 4));
  auto buffer = device.buffer<uint32_t>(24 * 2 * 3 * 4).value();
  auto stream = device.stream();
  stream.launch(kernel, collet::groups(2, 3, 4), buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), packed_groups(2, 3, 4, 24));
}

CONFORMANCE_TEST(Launch, ByGroupsCountsTheirItems) {
  auto buffer = device.buffer<uint32_t>(64 * 5).value();
  auto stream = device.stream();
  stream.launch(kernels::iota(), collet::groups(5), buffer, 3u);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), counting(64 * 5, 3));
}

CONFORMANCE_TEST(Launch, OfWholeGroupsNeedsNoCount) {
  auto buffer = device.buffer<uint32_t>(96).value();
  auto stream = device.stream();
  stream.launch(kernels::group_ids(), 96, buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), packed_groups(3, 1, 1, 32));
}

CONFORMANCE_TEST(Launch, OfARaggedCountOfASourceWithoutACountIsRefused) {
  auto buffer = device.buffer<uint32_t>(128).value();
  auto stream = device.stream();
  stream.launch(sources::group_ids(), 97, buffer);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"97", "32", "group_ids"});
  EXPECT_EQ(read(device, buffer), Words(128, 0));
}

CONFORMANCE_TEST(Launch, OfNothingIsValidAndDoesNothing) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto cube = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), 0, buffer);
  stream.launch(kernels::increment(), collet::groups(0), buffer);
  stream.launch(kernels::index3d(), collet::elements(4, 0, 4), cube);
  stream.launch(kernels::index3d(), collet::elements(4, 4, 0), cube);
  EXPECT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(64, 0));
  EXPECT_EQ(read(device, cube), Words(64, 0));
}

CONFORMANCE_TEST(Launch, OfNothingTakesEmptyBuffers) {
  auto empty = device.buffer<uint32_t>(0).value();
  auto other = device.buffer<uint32_t>(0).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 0, empty, other);
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Launch, OfANegativeCountIsRefused) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), -1, buffer);
  auto done = stream.wait();
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().code() == ErrorCode::invalid_argument ||
              done.error().code() == ErrorCode::unsupported)
      << done.error();
  EXPECT_EQ(read(device, buffer), Words(64, 0));
}

CONFORMANCE_TEST(Launch, OfMoreElementsThanCountHoldsIsRefused) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  for (const uint64_t count : {uint64_t{1} << 32, uint64_t{1} << 40, std::numeric_limits<uint64_t>::max()}) {
    stream.launch(kernels::increment(), count, buffer);
    auto done = stream.wait();
    ASSERT_FALSE(done) << count;
    EXPECT_TRUE(done.error().code() == ErrorCode::invalid_argument ||
                done.error().code() == ErrorCode::unsupported)
        << done.error();
    EXPECT_NE(done.error().message().find(std::to_string(count)), std::string::npos) << done.error();
  }
  EXPECT_EQ(read(device, buffer), Words(64, 0));
}

CONFORMANCE_TEST(Launch, WorksInGroupsOfEverySize) {
  auto stream = device.stream();
  for (const uint32_t size : {1u, 2u, 3u, 7u, 31u, 32u, 100u, 128u, 255u, 256u}) {
    if (size > caps(device).max_group_items) continue;
    const auto kernel = kernels::iota().with(collet::group(size));
    auto buffer = device.buffer<uint32_t>(1001).value();
    stream.launch(kernel, 1000, buffer, size);
    ASSERT_OK(stream.wait());
    Words expected = counting(1000, size);
    expected.push_back(0);
    EXPECT_EQ(read(device, buffer), expected) << size;
  }
}

CONFORMANCE_TEST(Launch, WorksInGroupsOfEveryShape) {
  const std::vector<std::array<uint32_t, 3>> shapes{{1, 1, 1}, {64, 1, 1}, {1, 64, 1}, {1, 1, 32}, {3, 5, 7}};
  auto stream = device.stream();
  for (const auto& [x, y, z] : shapes) {
    if (z > caps(device).max_group_size[2]) continue;
    const auto kernel = kernels::index3d().with(collet::group(x, y, z));
    auto buffer = device.buffer<uint32_t>(10 * 11 * 12).value();
    stream.launch(kernel, collet::elements(10, 11, 12), buffer);
    ASSERT_OK(stream.wait());
    EXPECT_EQ(read(device, buffer), packed_indices(10, 11, 12)) << x << " " << y << " " << z;
  }
}

CONFORMANCE_TEST(Launch, InGroupsOfNoItemsIsRefused) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::increment().with(collet::group(0)), 64, buffer);
  expect_cause(stream.wait(), ErrorCode::invalid_argument, Cause::zero_size, {"increment"});
  stream.launch(kernels::increment().with(collet::group(8, 0, 1)), 64, buffer);
  expect_cause(stream.wait(), ErrorCode::invalid_argument, Cause::zero_size, {"increment"});
}

CONFORMANCE_TEST(Launch, LeavesDifferentPartsOfABufferToDifferentLaunches) {
  auto buffer = device.buffer<uint32_t>(64 * 64).value();
  auto stream = device.stream();
  for (uint32_t i = 0; i < 64; ++i) stream.launch(kernels::iota(), 64, buffer.slice(64 * i, 64), 1000 * i);
  ASSERT_OK(stream.wait());
  const Words all = read(device, buffer);
  for (uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], 1000 * (i / 64) + i % 64) << i;
}

CONFORMANCE_TEST(Launch, OfManyGroupsRunsThemAll) {
  constexpr uint32_t kCount = 60'000;
  const auto kernel = kernels::iota().with(collet::group(1));
  auto buffer = device.buffer<uint32_t>(kCount).value();
  auto stream = device.stream();
  stream.launch(kernel, kCount, buffer, 5u);
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(read(device, buffer) == counting(kCount, 5));
}

CONFORMANCE_TEST(Launch, OfAMillionElementsRunsThemAll) {
  constexpr uint32_t kCount = 1'000'003;
  auto buffer = device.buffer<uint32_t>(kCount).value();
  auto stream = device.stream();
  stream.launch(kernels::iota(), kCount, buffer, 5u);
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(read(device, buffer) == counting(kCount, 5));
}

}  // namespace conformance
