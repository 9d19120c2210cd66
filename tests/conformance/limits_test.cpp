// Limits: what a device says it can do it does, and one more is refused with both figures.

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"
#include "conformance/sources.hpp"

namespace conformance {
namespace {

std::vector<std::string> figures(uint64_t asked, uint64_t most) {
  return {std::to_string(asked), std::to_string(most)};
}

}  // namespace

CONFORMANCE_TEST(Limits, LargestGroupAlongEachDimensionRuns) {
  const auto& limits = caps(device);
  for (std::size_t d = 0; d < 3; ++d) {
    std::array<uint32_t, 3> size{1, 1, 1};
    size[d] = std::min({limits.max_group_size[d], limits.max_group_items, 1024u});
    const auto kernel = kernels::index3d().with(collet::group(size[0], size[1], size[2]));
    std::array<uint32_t, 3> count{1, 1, 1};
    count[d] = size[d] - 1;  // ragged
    if (count[d] == 0) continue;
    auto buffer = device.buffer<uint32_t>(count[d]).value();
    auto stream = device.stream();
    stream.launch(kernel, collet::elements(count[0], count[1], count[2]), buffer);
    ASSERT_OK(stream.wait());
    Words expected(count[d]);
    for (uint32_t i = 0; i < count[d]; ++i) expected[i] = i << (10 * d);
    EXPECT_EQ(read(device, buffer), expected) << "dimension " << d;
  }
}

CONFORMANCE_TEST(Limits, LargerGroupThanADimensionAllowsIsRefused) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  for (std::size_t d = 0; d < 3; ++d) {
    const uint32_t most = caps(device).max_group_size[d];
    if (most == ~0u) continue;
    std::array<uint32_t, 3> size{1, 1, 1};
    size[d] = most + 1;
    stream.launch(kernels::increment().with(collet::group(size[0], size[1], size[2])), 64, buffer);
    expect_error(stream.wait(), ErrorCode::unsupported, figures(uint64_t{most} + 1, most));
  }
  EXPECT_EQ(read(device, buffer), Words(64, 0));
}

CONFORMANCE_TEST(Limits, MoreItemsThanAGroupAllowsAreRefused) {
  const auto& limits = caps(device);
  const uint32_t x = std::min(limits.max_group_size[0], limits.max_group_items);
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::increment().with(collet::group(x, 2)), 64, buffer);
  auto done = stream.wait();
  ASSERT_GE(limits.max_group_size[1], 2u);
  if (uint64_t{x} * 2 <= limits.max_group_items) {
    EXPECT_OK(done);
    return;
  }
  expect_error(done, ErrorCode::unsupported, figures(uint64_t{x} * 2, limits.max_group_items));
}

CONFORMANCE_TEST(Limits, AllSharedMemoryOfAGroupIsUsable) {
  const uint32_t most = caps(device).max_shared_bytes / 4 * 4;
  ASSERT_GE(most, 256u);
  const auto kernel = sources::reduce().with(collet::shared_bytes(most));
  const Words x = pattern(640);
  auto input = device.upload(x).value();
  auto sums = device.buffer<uint32_t>(10).value();
  auto stream = device.stream();
  stream.launch(kernel, 640, input, sums);
  ASSERT_OK(stream.wait());
  Words expected(10, 0);
  for (std::size_t i = 0; i < x.size(); ++i) expected[i / 64] += x[i];
  EXPECT_EQ(read(device, sums), expected);
}

CONFORMANCE_TEST(Limits, MoreSharedMemoryThanThereIsIsRefused) {
  const uint32_t most = caps(device).max_shared_bytes;
  ASSERT_LT(most, ~0u - 4);
  auto input = device.upload(counting(64)).value();
  auto sums = device.buffer<uint32_t>(1).value();
  auto stream = device.stream();
  stream.launch(sources::reduce().with(collet::shared_bytes(most + 4)), 64, input, sums);
  expect_error(stream.wait(), ErrorCode::unsupported, figures(uint64_t{most} + 4, most));
}

CONFORMANCE_TEST(Limits, SharedMemoryOfTheKernelLanguageHasTheSameLimit) {
  const uint32_t most = caps(device).max_shared_bytes / 4;
  const auto sharing = [](uint64_t count) {
    using namespace collet;
    return kernel("sharing", [=](Out<uint32_t> out) {
      const auto words = shared<uint32_t>(count);
      words[local_id()] = local_id();
      barrier();
      out[global_id()] = words[63u - local_id()];
    });
  };
  auto out = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(sharing(most), 64, out);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, out)[0], 63u);
  expect_cause(device.compile(sharing(most + 1u)), ErrorCode::unsupported, Cause::shared_memory_unsupported,
               {"[Kernel \"sharing\"]", std::to_string(uint64_t{most} * 4 + 4),
                std::to_string(caps(device).max_shared_bytes)});
}

// Traced kernels are launched in parts instead.
CONFORMANCE_TEST(Limits, MoreGroupsOfASourceThanADimensionAllowsAreRefused) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  for (std::size_t d = 0; d < 3; ++d) {
    const uint64_t most = caps(device).max_groups[d];
    std::array<uint64_t, 3> size{1, 1, 1};
    size[d] = most + 1;
    stream.launch(sources::group_ids(), collet::groups(size[0], size[1], size[2]), buffer);
    expect_error(stream.wait(), ErrorCode::unsupported, figures(most + 1, most));
  }
  EXPECT_EQ(read(device, buffer), Words(64, 0));
}

CONFORMANCE_TEST(Limits, SixtyFiveThousandGroupsOfASourceAreRightOrRefusedWithBothFigures) {
  constexpr uint32_t kGroups = 65'536;  // one more than many drivers take
  const auto kernel = sources::increment().with(collet::group(2));
  auto buffer = device.buffer<uint32_t>(2 * kGroups).value();
  auto stream = device.stream();
  stream.launch(kernel, 2 * kGroups, buffer);
  auto done = stream.wait();
  const uint32_t most = caps(device).max_groups[0];
  if (most < kGroups) {
    expect_error(done, ErrorCode::unsupported, figures(kGroups, most));
  } else {
    ASSERT_OK(done);
    EXPECT_TRUE(read(device, buffer) == Words(2 * kGroups, 1));
  }
}

CONFORMANCE_TEST(Limits, LargeArgumentIsRightOrRefusedWithBothFigures) {
  constexpr uint64_t kBytes = (128u << 20) + 4096;
  auto buffer = device.buffer<uint32_t>(kBytes / 4, {.label = "wide one", .zeroed = false});
  ASSERT_OK(buffer);
  auto stream = device.stream();
  stream.launch(kernels::iota(), 1000, *buffer, 9u);
  auto done = stream.wait();
  const uint64_t most = caps(device).max_binding_range;
  if (most < kBytes) {
    expect_error(done, ErrorCode::unsupported, figures(kBytes, most));
  } else {
    ASSERT_OK(done);
    Words host(1000);
    stream.download(buffer->slice(0, 1000), std::span(host));
    ASSERT_OK(stream.wait());
    EXPECT_EQ(host, counting(1000, 9));
  }
}

CONFORMANCE_TEST(Limits, EndOfALargeBufferIsReachedThroughASlice) {
  constexpr uint64_t kCount = (128u << 20) / 4 + 65'536;
  auto buffer = device.buffer<uint32_t>(kCount, {.label = "wide one", .zeroed = false}).value();
  const auto end = buffer.slice(kCount - 1024, 1024);
  Words host(1024);
  auto stream = device.stream();
  stream.launch(kernels::iota(), 1024, end, 9u);
  stream.download(end, std::span(host));
  ASSERT_OK(stream.wait());
  EXPECT_EQ(host, counting(1024, 9));
}

}  // namespace conformance
