// Arguments: overlap, slices, scalars, and many of them.

#include <cmath>
#include <limits>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"
#include "conformance/sources.hpp"

namespace conformance {
namespace {

// Launches a kernel that takes one output, the given inputs and the given scalars.
template <class Kernel, std::size_t... kIn, std::size_t... kScalar>
void launch_sum(collet::Stream& stream, const Kernel& kernel, std::size_t count,
                const collet::Buffer<uint32_t>& result, const std::vector<collet::Buffer<uint32_t>>& inputs,
                [[maybe_unused]] const Words& scalars, std::index_sequence<kIn...>,
                std::index_sequence<kScalar...>) {
  stream.launch(kernel, count, result, inputs[kIn]..., scalars[kScalar]...);
}

// Input b holds pattern(count, b + 1).
std::vector<collet::Buffer<uint32_t>> make_inputs(const collet::Device& device, std::size_t inputs,
                                                  std::size_t count) {
  std::vector<collet::Buffer<uint32_t>> made;
  for (uint32_t b = 0; b < inputs; ++b) made.push_back(device.upload(pattern(count, b + 1)).value());
  return made;
}

Words expected_sum(std::size_t inputs, std::size_t count, const Words& scalars) {
  Words sums(count, 0);
  for (uint32_t b = 0; b < inputs; ++b) {
    const Words input = pattern(count, b + 1);
    for (std::size_t i = 0; i < count; ++i) sums[i] += (b + 1) * input[i];
  }
  for (uint32_t s = 0; s < scalars.size(); ++s) {
    for (uint32_t& sum : sums) sum += (1000 + s) * scalars[s];
  }
  return sums;
}

void expect_scalars(collet::Device& device, const sources::Scalars& s) {
  auto result = device.buffer<uint32_t>(13).value();
  auto stream = device.stream();
  stream.launch(sources::scalars(), 64, result, s.i8, s.u8, s.i16, s.u16, s.i32, s.u32, s.i64, s.u64, s.f32,
                s.f64);
  ASSERT_OK(stream.wait());
  const auto words = sources::scalar_words(s);
  EXPECT_EQ(read(device, result), Words(words.begin(), words.end()));
}

}  // namespace

CONFORMANCE_TEST(Arguments, OverlapIsRefusedWithBothRanges) {
  auto buffer = device.buffer<uint32_t>(256).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 64, buffer.slice(0, 128), buffer.slice(64, 128));
  auto done = stream.wait();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(done.error().message(),
            "Arguments 0 (bytes 0-512) and 1 (bytes 256-768) of [Kernel \"copy\"] overlap and argument 1 is "
            "written.");
  EXPECT_FALSE(done.error().hint().empty());
}

CONFORMANCE_TEST(Arguments, OverlapOfOneElementIsRefused) {
  auto buffer = device.buffer<uint32_t>(256).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 64, buffer.slice(64, 65), buffer.slice(128, 64));
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"overlap", "256-516", "512-768"});
}

CONFORMANCE_TEST(Arguments, OverlapIsRefusedWhicheverIsWritten) {
  auto buffer = device.buffer<float>(64).value();
  auto stream = device.stream();
  stream.launch(sources::saxpy(), 64, buffer, buffer, 1.0f);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"overlap", "saxpy"});
}

CONFORMANCE_TEST(Arguments, PartsOfOneBufferThatMeetAreAccepted) {
  auto buffer = device.upload(counting(128)).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 64, buffer.slice(0, 64), buffer.slice(64, 64));
  ASSERT_OK(stream.wait());
  Words expected = counting(64);
  expected.insert(expected.end(), expected.begin(), expected.end());
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Arguments, OneBufferMayBeReadTwice) {
  const auto multiply = collet::kernel(
      "multiply", [](kernels::In<uint32_t> a, kernels::In<uint32_t> b, kernels::Out<uint32_t> c) {
        c[collet::global_id()] = a[collet::global_id()] * b[collet::global_id()];
      });
  Words x = pattern(100);
  auto input = device.upload(x).value();
  auto squares = device.buffer<uint32_t>(x.size()).value();
  auto stream = device.stream();
  stream.launch(multiply, x.size(), input, input, squares);
  ASSERT_OK(stream.wait());
  for (uint32_t& one : x) one *= one;
  EXPECT_EQ(read(device, squares), x);
}

CONFORMANCE_TEST(Arguments, ThatMayAliasTakeTheSameBuffer) {
  auto buffer = device.upload(counting(1000)).value();
  auto stream = device.stream();
  for (int i = 0; i < 10; ++i) stream.launch(kernels::add_aliased(), 1000, buffer, buffer, 7u);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), counting(1000, 70));
}

CONFORMANCE_TEST(Arguments, ThatMayAliasTakeTwoBuffers) {
  auto x = device.upload(counting(1000)).value();
  auto y = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  stream.launch(kernels::add_aliased(), 1000, x, y, 7u);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, x), counting(1000));
  EXPECT_EQ(read(device, y), counting(1000, 7));
}

CONFORMANCE_TEST(Arguments, SlicesBeginWhereTheySay) {
  auto x = device.upload(counting(1024)).value();
  auto y = device.buffer<uint32_t>(1024).value();
  auto stream = device.stream();
  stream.launch(kernels::add(), 100, x.slice(512, 100), y.slice(256, 100), 0u);
  ASSERT_OK(stream.wait());
  Words expected(1024, 0);
  std::iota(expected.begin() + 256, expected.begin() + 356, 512u);
  EXPECT_EQ(read(device, y), expected);
}

CONFORMANCE_TEST(Arguments, SlicesAtAnyElementAreRightOrRefusedWithTheAlignment) {
  const std::string alignment = std::to_string(caps(device).offset_alignment);
  auto x = device.upload(counting(256)).value();
  for (uint64_t first = 0; first < 70; ++first) {
    auto y = device.buffer<uint32_t>(128).value();
    auto stream = device.stream();
    stream.launch(kernels::copy(), 100, x.slice(first, 100), y.slice(0, 100));
    auto done = stream.wait();
    if (done) {
      Words expected = counting(100, static_cast<uint32_t>(first));
      expected.resize(128, 0);
      EXPECT_EQ(read(device, y), expected) << first;
      continue;
    }
    EXPECT_NE(first * 4 % caps(device).offset_alignment, 0u) << done.error();
    expect_error(done, ErrorCode::unsupported, {alignment, std::to_string(first * 4)});
  }
}

CONFORMANCE_TEST(Arguments, SlicesBeyondTheEndAreRefused) {
  auto x = device.buffer<uint32_t>(100, {.label = "short one"}).value();
  auto y = device.buffer<uint32_t>(200).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 100, x.slice(64, 64), y);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"short one", "64", "100", "copy"});
}

CONFORMANCE_TEST(Arguments, OfAnotherDeviceAreRefused) {
  collet::Device peer = peer_of(device);
  auto mine = device.buffer<uint32_t>(64).value();
  auto theirs = peer.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 64, mine, theirs);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {device.info().id(), peer.info().id(), "copy"});
}

CONFORMANCE_TEST(Arguments, EmptyBuffersAreRefusedWhereThereIsWork) {
  auto x = device.buffer<uint32_t>(0, {.label = "nothing"}).value();
  auto y = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 64, x, y);
  expect_error(stream.wait(), ErrorCode::invalid_argument, {"nothing", "copy"});
}

CONFORMANCE_TEST(Arguments, ScalarsOfEveryTypeArriveExactly) {
  expect_scalars(device, {.i8 = -5,
                          .u8 = 250,
                          .i16 = -12345,
                          .u16 = 54321,
                          .i32 = -1'234'567'890,
                          .u32 = 0xfedcba98u,
                          .i64 = -1'234'567'890'123'456'789,
                          .u64 = 0xfedcba9876543210u,
                          .f32 = 0.1f,
                          .f64 = 0.1});
}

CONFORMANCE_TEST(Arguments, ScalarsArriveAtTheirLimits) {
  using std::numeric_limits;
  expect_scalars(device, {.i8 = numeric_limits<std::int8_t>::min(),
                          .u8 = numeric_limits<uint8_t>::max(),
                          .i16 = numeric_limits<std::int16_t>::min(),
                          .u16 = numeric_limits<uint16_t>::max(),
                          .i32 = numeric_limits<std::int32_t>::min(),
                          .u32 = numeric_limits<uint32_t>::max(),
                          .i64 = numeric_limits<std::int64_t>::min(),
                          .u64 = numeric_limits<uint64_t>::max(),
                          .f32 = numeric_limits<float>::denorm_min(),
                          .f64 = numeric_limits<double>::denorm_min()});
  expect_scalars(device, {});
}

CONFORMANCE_TEST(Arguments, FloatsArriveWithEveryBit) {
  using std::numeric_limits;
  for (const double value : {-0.0, numeric_limits<double>::infinity(), -numeric_limits<double>::infinity(),
                             numeric_limits<double>::max(), 1e-300}) {
    expect_scalars(device, {.f32 = static_cast<float>(value), .f64 = value});
  }
}

CONFORMANCE_TEST(Arguments, ScalarsAreCopiedByTheLaunch) {
  auto busy = device.upload(Words{1}).value();
  auto buffer = device.buffer<uint32_t>(64 * 100).value();
  auto stream = device.stream();
  stream.launch(kernels::spin(), 1, busy, kernels::kSpinRounds);
  uint32_t value = 0;
  for (uint32_t i = 0; i < 100; ++i) {
    value = i * 17;
    stream.launch(kernels::iota(), 64, buffer.slice(64 * i, 64), value);
    value = 999;
  }
  ASSERT_OK(stream.wait());
  const Words all = read(device, buffer);
  for (uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i / 64 * 17 + i % 64) << i;
}

CONFORMANCE_TEST(Arguments, MixBuffersScalarsAndTheCount) {
  auto result = device.buffer<uint32_t>(100).value();
  auto x = device.upload(counting(100)).value();
  auto stream = device.stream();
  stream.launch(sources::interleaved(), 99, 1u, result, 2u, x, 3u);
  ASSERT_OK(stream.wait());
  Words expected(100, 0);
  for (uint32_t i = 0; i < 99; ++i) expected[i] = 321 + 1000 * i;
  EXPECT_EQ(read(device, result), expected);
}

CONFORMANCE_TEST(Arguments, StructsArriveByValue) {
  std::vector<sources::Particle> particles(3);
  auto buffer = device.upload(particles).value();
  auto stream = device.stream();
  for (uint32_t i = 1; i <= 20; ++i) {
    const sources::Step step{
        .dt = static_cast<float>(i), .velocity = {1, 2, static_cast<float>(i)}, .stride = i};
    stream.launch(sources::particles(), 3, buffer, step);
    for (uint32_t p = 0; p < 3; ++p) particles[p] = sources::moved(particles[p], step, p);
  }
  ASSERT_OK(stream.wait());
  EXPECT_TRUE(read(device, buffer) == particles);
}

CONFORMANCE_TEST(Arguments, ThirtyOfThemArrive) {
  constexpr std::size_t kCount = 777;
  const Words scalars{3, 1, 4, 1, 5, 9, 2, 6, 0xffffffffu};
  const auto inputs = make_inputs(device, 19, kCount);
  auto result = device.buffer<uint32_t>(kCount).value();
  auto stream = device.stream();
  launch_sum(stream, sources::thirty(), kCount, result, inputs, scalars, sources::Nineteen{},
             sources::Nine{});
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, result), expected_sum(19, kCount, scalars));
}

CONFORMANCE_TEST(Arguments, ThirtyOfThemArriveInEveryLaunch) {
  const auto inputs = make_inputs(device, 19, 64);
  auto result = device.buffer<uint32_t>(64 * 100).value();
  auto part = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  for (uint32_t i = 0; i < 100; ++i) {
    launch_sum(stream, sources::thirty(), 64, part, inputs, Words(9, i), sources::Nineteen{},
               sources::Nine{});
    stream.copy(part, result.slice(64 * i, 64));
  }
  ASSERT_OK(stream.wait());
  const Words all = read(device, result);
  for (uint32_t i = 0; i < 100; ++i) {
    const Words expected = expected_sum(19, 64, Words(9, i));
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), all.begin() + 64 * i)) << i;
  }
}

CONFORMANCE_TEST(Arguments, FortyBuffersArriveOrAreRefusedWithBothFigures) {
  const auto inputs = make_inputs(device, 39, 100);
  auto result = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  launch_sum(stream, sources::forty(), 100, result, inputs, {}, sources::ThirtyNine{},
             std::index_sequence<>{});
  auto done = stream.wait();
  const uint32_t most = caps(device).max_bindings;
  if (most < 40) {
    expect_error(done, ErrorCode::unsupported, {"40", std::to_string(most), "forty"});
  } else {
    ASSERT_OK(done);
    EXPECT_EQ(read(device, result), expected_sum(39, 100, {}));
  }
}

CONFORMANCE_TEST(Arguments, LargeBlocksOfScalarsArriveOrAreRefusedWithBothFigures) {
  sources::Block block;
  for (uint32_t i = 0; i < 64; ++i) block.words[i] = i * i + 1;
  auto result = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(sources::block(), 64, result, block);
  auto done = stream.wait();
  const uint32_t most = caps(device).max_constants_size;
  if (most < 256) {
    expect_error(done, ErrorCode::unsupported, {"256", std::to_string(most), "block"});
  } else {
    ASSERT_OK(done);
    EXPECT_EQ(read(device, result), Words(block.words.begin(), block.words.end()));
  }
}

}  // namespace conformance
