// Kernels: each computes what its C++ twin computes.

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"
#include "conformance/sources.hpp"

namespace conformance {
namespace {

// The sums of `x` in groups of `group`.
Words group_sums(const Words& x, std::size_t group) {
  Words sums((x.size() + group - 1) / group, 0);
  for (std::size_t i = 0; i < x.size(); ++i) sums[i / group] += x[i];
  return sums;
}

}  // namespace

CONFORMANCE_TEST(Kernel, SaxpyIsExactOnWholeNumbers) {
  for (const std::size_t count : {1u, 3u, 64u, 1000u, 100'003u}) {
    std::vector<float> x(count), y(count), expected(count);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = static_cast<float>(i % 1000);
      y[i] = static_cast<float>(i % 77) - 30;
      expected[i] = 3 * x[i] + y[i];
    }
    auto dx = device.upload(x).value();
    auto dy = device.upload(y).value();
    auto stream = device.stream();
    stream.launch(sources::saxpy(), count, dx, dy, 3.0f);
    ASSERT_OK(stream.wait());
    EXPECT_TRUE(read(device, dy) == expected) << count;
    EXPECT_TRUE(read(device, dx) == x) << count;
  }
}

CONFORMANCE_TEST(Kernel, CopyCopies) {
  auto x = device.upload(pattern(4321)).value();
  auto y = device.buffer<uint32_t>(4321).value();
  auto stream = device.stream();
  stream.launch(sources::copy(), 4321, x, y);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, y), pattern(4321));
}

CONFORMANCE_TEST(Kernel, IotaCountsFromItsStart) {
  auto buffer = device.buffer<uint32_t>(10'001).value();
  auto stream = device.stream();
  stream.launch(kernels::iota(), 10'001, buffer, 0xffffff00u);  // wraps
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), counting(10'001, 0xffffff00u));
}

CONFORMANCE_TEST(Kernel, ScalesAPartOfAnImage) {
  constexpr uint32_t kPitch = 50, kHeight = 31;
  std::vector<float> image(kPitch * kHeight);
  std::iota(image.begin(), image.end(), 0.0f);
  auto buffer = device.upload(image).value();
  auto stream = device.stream();
  stream.launch(kernels::scale2d(), collet::elements(37, 19), buffer, kPitch, -2.0f);
  ASSERT_OK(stream.wait());
  for (uint32_t y = 0; y < 19; ++y) {
    for (uint32_t x = 0; x < 37; ++x) image[y * kPitch + x] *= -2.0f;
  }
  EXPECT_EQ(read(device, buffer), image);
}

CONFORMANCE_TEST(Kernel, ReduceSumsThroughSharedMemory) {
  const Words x = pattern(64 * 100);
  auto input = device.upload(x).value();
  auto sums = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  stream.launch(sources::reduce(), x.size(), input, sums);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, sums), group_sums(x, 64));
}

CONFORMANCE_TEST(Kernel, ReduceStopsAtARaggedEnd) {
  for (const std::size_t count : {1u, 63u, 65u, 1000u}) {
    const Words x = pattern(count);
    auto input = device.upload(x).value();
    const Words expected = group_sums(x, 64);
    auto sums = device.buffer<uint32_t>(expected.size()).value();
    auto stream = device.stream();
    stream.launch(sources::reduce(), count, input, sums);
    ASSERT_OK(stream.wait());
    EXPECT_EQ(read(device, sums), expected) << count;
  }
}

CONFORMANCE_TEST(Kernel, ReduceWorksInGroupsOfEverySize) {
  const Words x = pattern(5000);
  auto input = device.upload(x).value();
  for (const uint32_t group : {1u, 2u, 4u, 16u, 32u, 128u, 256u}) {
    if (group > caps(device).max_group_items || group > caps(device).max_group_size[0]) continue;
    const auto reduce = sources::reduce().with(collet::group(group), collet::shared_bytes(group * 4));
    const Words expected = group_sums(x, group);
    auto sums = device.buffer<uint32_t>(expected.size()).value();
    auto stream = device.stream();
    stream.launch(reduce, x.size(), input, sums);
    ASSERT_OK(stream.wait());
    EXPECT_TRUE(read(device, sums) == expected) << group;
  }
}

CONFORMANCE_TEST(Kernel, HistogramCountsEveryElementOnce) {
  const Words x = pattern(100'000);
  Words expected(16, 0);
  for (const uint32_t word : x) ++expected[word % 16];
  auto input = device.upload(x).value();
  auto bins = device.buffer<uint32_t>(16).value();
  auto stream = device.stream();
  stream.launch(kernels::histogram(), x.size(), input, bins);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, bins), expected);
}

CONFORMANCE_TEST(Kernel, HistogramOfOneValueMeetsInOneBin) {
  auto input = device.upload(Words(50'000, 5)).value();
  auto bins = device.buffer<uint32_t>(16).value();
  auto stream = device.stream();
  for (int i = 0; i < 3; ++i) stream.launch(kernels::histogram(), 50'000, input, bins);
  ASSERT_OK(stream.wait());
  Words expected(16, 0);
  expected[5] = 150'000;
  EXPECT_EQ(read(device, bins), expected);
}

CONFORMANCE_TEST(Kernel, MovesParticles) {
  std::vector<sources::Particle> particles(1001);
  for (uint32_t i = 0; i < particles.size(); ++i) {
    particles[i] = {static_cast<float>(i), static_cast<float>(2 * i), -static_cast<float>(i), i};
  }
  const sources::Step step{.dt = 0.5f, .velocity = {2, -4, 8}, .stride = 1000};
  auto buffer = device.upload(particles).value();
  auto stream = device.stream();
  stream.launch(sources::particles(), particles.size(), buffer, step);
  ASSERT_OK(stream.wait());
  for (uint32_t i = 0; i < particles.size(); ++i) particles[i] = sources::moved(particles[i], step, i);
  EXPECT_TRUE(read(device, buffer) == particles);
}

CONFORMANCE_TEST(Kernel, WritesBytes) {
  auto host = byte_pattern(4096);
  host[0] = 255;  // wraps, and leaves its neighbour
  auto buffer = device.upload(host).value();
  auto stream = device.stream();
  stream.launch(sources::bytes(), 1024, buffer);
  ASSERT_OK(stream.wait());
  for (uint8_t& one : host) one = static_cast<uint8_t>(one + 1);
  EXPECT_EQ(read(device, buffer), host);
}

CONFORMANCE_TEST(Kernel, RunsLongLoopsToTheirEnd) {
  const Words start = pattern(130);
  auto buffer = device.upload(start).value();
  auto stream = device.stream();
  stream.launch(sources::spin(), 130, buffer, kernels::kSpinRounds);
  ASSERT_OK(stream.wait());
  Words expected = start;
  for (uint32_t& word : expected) word = kernels::spun(word, kernels::kSpinRounds);
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Kernel, ComputesIn64BitIntegers) {
  std::vector<uint64_t> x(1000), expected(1000);
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  for (uint64_t i = 0; i < x.size(); ++i) {
    x[i] = ~i * 0x123456789u;
    expected[i] = x[i] * kFactor + i;
  }
  auto buffer = device.upload(x).value();
  auto stream = device.stream();
  stream.launch(sources::wide(), x.size(), buffer, kFactor);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Kernel, ComputesIn64BitFloats) {
  std::vector<double> x(1000), expected(1000);
  const double amount = std::ldexp(1.0, -40);  // lost in 32 bits
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0 + static_cast<double>(i);
    expected[i] = x[i] + amount;
  }
  auto buffer = device.upload(x).value();
  auto stream = device.stream();
  stream.launch(sources::doubles(), x.size(), buffer, amount);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Kernel, OfAFixedGroupSizeRuns) {
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  stream.launch(sources::fixed_group(), 1000, buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), counting(1000));
}

CONFORMANCE_TEST(Kernel, KeepsItsName) {
  EXPECT_EQ(sources::saxpy().name(), "saxpy");
  EXPECT_EQ(sources::saxpy().with(collet::group(32)).name(), "saxpy");
}

CONFORMANCE_TEST(Kernel, VariantLeavesTheOriginalAlone) {
  const auto small = sources::increment().with(collet::group(16));
  auto buffer = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  stream.launch(small, 100, buffer);
  stream.launch(sources::increment(), 100, buffer);
  const auto receipt = stream.wait();
  ASSERT_OK(receipt);
  ASSERT_EQ(receipt->launches.size(), 2u);
  EXPECT_EQ(receipt->launches[0].facts->group_size[0], 16u);
  EXPECT_EQ(receipt->launches[1].facts->group_size[0], 64u);
  EXPECT_EQ(read(device, buffer), Words(100, 2));
}

CONFORMANCE_TEST(Kernel, MayGoWhileItsWorkRuns) {
  auto buffer = device.buffer<uint32_t>(5000).value();
  auto stream = device.stream();
  for (int i = 0; i < 20; ++i) {
    const auto kernel = sources::fresh_increment();
    stream.launch(kernel, 5000, buffer);
  }
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(5000, 20));
}

CONFORMANCE_TEST(Kernel, ABranchBehindABranchWithABarrierIsEachItemsOwn) {
  auto first = device.buffer<uint32_t>(8).value();
  auto second = device.buffer<uint32_t>(8).value();
  auto stream = device.stream();
  stream.launch(sources::branches(), 5, first, second, 1u);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, first), (Words{1, 2, 3, 4, 5, 0, 0, 0}));
  EXPECT_EQ(read(device, second), (Words{13, 13, 13, 13, 13, 0, 0, 0}));
}

CONFORMANCE_TEST(Kernel, ALoopOf70000RoundsIsWhole) {
  constexpr uint32_t kRounds = 70'000;
  auto buffer = device.buffer<uint32_t>(8).value();
  auto stream = device.stream();
  stream.launch(sources::spin(), 8, buffer, kRounds);
  ASSERT_OK(stream.wait());
  uint32_t want = 0;
  for (uint32_t round = 0; round < kRounds; ++round) want = want * 1664525u + 1013904223u;
  EXPECT_EQ(read(device, buffer), Words(8, want));
}

CONFORMANCE_TEST(Kernel, UnsignedIntegersBecomeFloatsRoundedOnce) {
  Words x(4096);
  std::vector<float> want(x.size());
  for (uint32_t i = 0; i < x.size(); ++i) {
    x[i] = i * 2654435761u;
    want[i] = static_cast<float>(x[i]);
  }
  auto from = device.upload(x).value();
  auto to = device.buffer<float>(x.size()).value();
  auto stream = device.stream();
  stream.launch(sources::to_float(), x.size(), from, to);
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(read(device, to) == want);
}

CONFORMANCE_TEST(Kernel, ANegativeConstantBecomesAFloat) {
  auto to = device.buffer<float>(3).value();
  auto stream = device.stream();
  stream.launch(sources::negative(), 3, to);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, to), (std::vector<float>{-5, -5, -5}));
}

CONFORMANCE_TEST(Kernel, AZeroInTheCodeIsAddedAndMultipliedAsAnyNumber) {
  auto from = device.upload(std::vector<float>{-0.0f, -5.0f, 5.0f}).value();
  auto sums = device.buffer<uint32_t>(3).value();
  auto products = device.buffer<uint32_t>(3).value();
  auto stream = device.stream();
  stream.launch(sources::zeros(), 3, from, sums, products);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, sums), (Words{0, 0xc0a00000, 0x40a00000}));
  EXPECT_EQ(read(device, products), (Words{0x80000000, 0x80000000, 0}));
}

CONFORMANCE_TEST(Kernel, AFenceThatNotAllItemsReachIsNoBarrier) {
  auto rounds = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  stream.launch(sources::fences(), 100, rounds);
  ASSERT_OK(stream.wait());
  Words wanted(100);
  std::iota(wanted.begin(), wanted.end(), 1);
  EXPECT_EQ(read(device, rounds), wanted);
}

CONFORMANCE_TEST(Kernel, ServesADeviceThatIsOpenedAgain) {
  const auto kernel = sources::fresh_increment();
  for (int round = 0; round < 3; ++round) {
    auto own = collet::Device::open(device.info().id()).value();
    auto buffer = own.buffer<uint32_t>(100).value();
    auto stream = own.stream();
    stream.launch(kernel, 100, buffer);
    ASSERT_OK(stream.wait());
    EXPECT_EQ(read(own, buffer), Words(100, 1));
  }
}

CONFORMANCE_TEST(Kernel, ServesTwoDevicesAtOnce) {
  collet::Device peer = peer_of(device);
  const auto kernel = sources::fresh_increment();
  auto mine = device.buffer<uint32_t>(1000).value();
  auto theirs = peer.buffer<uint32_t>(1000).value();
  auto here = device.stream();
  auto there = peer.stream();
  for (int i = 0; i < 10; ++i) {
    here.launch(kernel, 1000, mine);
    there.launch(kernel, 1000, theirs);
  }
  ASSERT_OK(here.wait());
  ASSERT_OK(there.wait());
  EXPECT_EQ(read(device, mine), Words(1000, 10));
  EXPECT_EQ(read(peer, theirs), Words(1000, 10));
}

}  // namespace conformance
