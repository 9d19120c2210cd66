// Scratch memory: used again by the stream's next work, kept apart while it is held, and the first to go.

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "unit/limited_device.hpp"

namespace collet {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

Device limited(test::LimitedDevice*& native) {
  auto made = std::make_unique<test::LimitedDevice>();
  native = made.get();
  return Device(detail::Ref(new detail::DeviceState(std::move(made), {})));
}

// Where a view begins, in bytes of its buffer.
template <class T>
std::pair<const void*, std::uint64_t> place(const View<T>& view) {
  return {view.range().buffer, view.range().first * sizeof(T)};
}

TEST(Scratch, IsUsedAgainOnceItIsGone) {
  const Device device = Device::open("null").value();
  Stream stream = device.stream();
  std::optional<std::pair<const void*, std::uint64_t>> first;
  for (int i = 0; i < 100; ++i) {
    Scratch scratch = stream.scratch();
    const auto sums = scratch.take<float>(1000).value();
    const auto more = scratch.take<double>(1000).value();
    EXPECT_EQ(sums.size(), 1000u);
    EXPECT_NE(place(sums), place(more));
    if (!first) first = place(sums);
    EXPECT_EQ(place(sums), *first);
    stream.fill(sums, 1.0f);
  }
  ASSERT_TRUE(stream.wait());
  EXPECT_EQ(device.memory_usage().allocations, 1u);
}

TEST(Scratch, PartsNeverMeet) {
  const Device device = Device::open("null").value();
  Stream stream = device.stream();
  struct Three {
    float x, y, z;
  };
  Scratch outer = stream.scratch();
  const auto kept = outer.take<std::uint8_t>(100'000).value();
  stream.fill(kept, std::uint8_t{1});
  std::vector<View<Three>> views;
  {
    Scratch inner = stream.scratch();
    for (std::uint64_t n = 1; n < 40'000; n *= 3) views.push_back(inner.take<Three>(n).value());
    for (std::size_t i = 0; i < views.size(); ++i) {
      const auto value = static_cast<float>(i);
      stream.fill(views[i], Three{value, value, value});
    }
    for (std::size_t i = 0; i < views.size(); ++i) {
      const auto found = stream.download(views[i]).value();
      for (const Three& one : found) ASSERT_EQ(one.y, static_cast<float>(i));
    }
  }
  // The outer one is alive, so that the inner one's parts are not given away either.
  Scratch next = stream.scratch();
  const auto after = next.take<std::uint8_t>(100'000).value();
  EXPECT_NE(place(after), place(kept));
  stream.fill(after, std::uint8_t{2});
  EXPECT_EQ(stream.download(kept).value(), std::vector<std::uint8_t>(100'000, 1));
}

TEST(Scratch, OfNoElementsIsValidAndTooMuchIsRefused) {
  const Device device = Device::open("null").value();
  Stream stream = device.stream();
  Scratch scratch = stream.scratch();
  EXPECT_EQ(scratch.take<float>(0).value().size(), 0u);
  const auto refused = scratch.take<float>(~std::uint64_t{0} / 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::invalid_argument);
}

TEST(Scratch, IsTheFirstToGoWhereMemoryRunsOut) {
  test::LimitedDevice* native = nullptr;
  const Device device = limited(native);
  native->room = 100 * kMiB;
  Stream stream = device.stream(), other = device.stream();
  {
    Scratch scratch = stream.scratch();
    (void)scratch.take<std::uint8_t>(60 * kMiB).value();
    EXPECT_FALSE(device.buffer<std::uint8_t>(90 * kMiB)) << "it is held";
    EXPECT_FALSE(other.scratch().take<std::uint8_t>(90 * kMiB)) << "that of another stream, too";
  }
  EXPECT_EQ(native->bytes(), 60 * kMiB);
  EXPECT_TRUE(device.buffer<std::uint8_t>(90 * kMiB));
  EXPECT_TRUE(stream.scratch().take<std::uint8_t>(90 * kMiB)) << "and it comes back";
  device.trim();
  EXPECT_EQ(native->bytes(), 0u);
}

TEST(Scratch, TakesWhatThereIsWhereThereIsNoRoomForMore) {
  test::LimitedDevice* native = nullptr;
  const Device device = limited(native);
  native->room = 100 * kMiB;
  Stream stream = device.stream();
  Scratch scratch = stream.scratch();
  EXPECT_TRUE(scratch.take<std::uint8_t>(60 * kMiB));
  EXPECT_TRUE(scratch.take<std::uint8_t>(34 * kMiB)) << "twice as much would have no room";
}

TEST(Scratch, EndsWithItsStream) {
  test::LimitedDevice* native = nullptr;
  const Device device = limited(native);
  std::optional<Stream> stream = device.stream();
  Scratch scratch = stream->scratch();
  const auto part = scratch.take<float>(10).value();
  EXPECT_EQ(part.size(), 10u);
  stream.reset();
  const auto refused = scratch.take<float>(10);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(), "Scratch memory of 40 bytes is asked for, and its stream is gone.");
  Scratch moved = std::move(scratch);
  EXPECT_FALSE(moved.take<float>(10));
  // NOLINTNEXTLINE(bugprone-use-after-move)
  EXPECT_EQ(scratch.take<float>(10).error().message(), "The Scratch was moved from.");
}

TEST(Scratch, GivesEachPartMemoryOfItsOwnWhereADispatchMayNotMixThem) {
  test::LimitedDevice* native = nullptr;
  const Device device = limited(native);
  native->limits.mixed_access = false;
  Stream stream = device.stream();
  (void)stream.scratch().take<float>(1000).value();  // leaves memory that has room for both
  for (int i = 0; i < 10; ++i) {
    Scratch scratch = stream.scratch();
    const auto a = scratch.take<float>(100).value(), b = scratch.take<float>(200).value();
    EXPECT_NE(a.range().buffer, b.range().buffer);
  }
  EXPECT_EQ(device.memory_usage().allocations, 2u);
}

}  // namespace
}  // namespace collet
