// Pools of a program's own, on a device around the null backend that counts and limits allocations.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "unit/limited_device.hpp"

namespace collet {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

struct Limited {
  test::LimitedDevice* native;
  Device device;
};

Limited limited(OpenOptions options = {}) {
  auto native = std::make_unique<test::LimitedDevice>();
  test::LimitedDevice* raw = native.get();
  return {raw, Device(detail::Ref(new detail::DeviceState(std::move(native), std::move(options))))};
}

TEST(PoolByHand, HasALimitAndFiguresOfItsOwn) {
  const Device device = Device::open("null").value();
  const Pool pool(device, {.label = "weights", .memory = {.limit = 16 * kMiB}});
  const auto x = pool.buffer<float>(kMiB).value();
  EXPECT_EQ(pool.label(), "weights");
  EXPECT_EQ(pool.usage().limit, 16 * kMiB);
  EXPECT_EQ(pool.usage().used, 4 * kMiB);
  EXPECT_EQ(device.memory_usage().used, 0u);
  EXPECT_EQ(device.memory_usage().limit, 0u);
  const auto refused = pool.buffer<float>(4 * kMiB, {.label = "large"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::out_of_memory);
  EXPECT_NE(refused.error().describe().find("[Pool \"weights\"] may take 16777216 bytes"), std::string::npos)
      << refused.error().describe();
  EXPECT_TRUE(device.buffer<float>(4 * kMiB)) << "the device itself has more";
  const auto overflow = pool.buffer<double>(~std::uint64_t{0});
  ASSERT_FALSE(overflow);
  EXPECT_EQ(overflow.error().code(), ErrorCode::invalid_argument);
}

TEST(PoolByHand, LivesUntilItsLastBufferIsGone) {
  const auto [native, device] = limited();
  std::optional<Buffer<int>> kept;
  {
    const Pool pool(device, 16 * kMiB);
    kept = pool.buffer<int>(1000).value();
  }
  Stream stream = device.stream();
  stream.fill(*kept, 7);
  EXPECT_EQ(stream.download(*kept).value(), std::vector<int>(1000, 7));
  EXPECT_EQ(native->count(), 1u);
  kept.reset();
  EXPECT_EQ(native->count(), 0u);
}

TEST(PoolByHand, GivesBackWhatItKeepsWhenTheDeviceHasNoMemory) {
  const auto [native, device] = limited();
  native->room = 100 * kMiB;
  const Pool pool(device);
  {
    const auto gone = pool.buffer<std::uint8_t>(60 * kMiB).value();
  }
  EXPECT_EQ(pool.usage().reserved, 60 * kMiB);
  EXPECT_TRUE(device.buffer<std::uint8_t>(90 * kMiB));
  EXPECT_EQ(pool.usage().reserved, 0u);
}

TEST(PoolByHand, TrimsWithItsDeviceAndAlone) {
  const Device device = Device::open("null").value();
  const Pool pool(device);
  for (const bool alone : {true, false}) {
    {
      const auto gone = pool.buffer<std::uint8_t>(kMiB).value();
    }
    EXPECT_EQ(pool.usage().reserved, 4 * kMiB);
    alone ? pool.trim() : device.trim();
    EXPECT_EQ(pool.usage().reserved, 0u);
  }
}

TEST(PoolByHand, AsksTheProgramBeforeItGivesUp) {
  std::vector<Buffer<std::uint8_t>> cache;
  std::vector<std::uint64_t> asked;
  const MemoryOptions memory{.limit = 16 * kMiB, .retry = [&](std::uint64_t bytes) {
                               asked.push_back(bytes);
                               if (cache.empty()) return false;
                               cache.pop_back();
                               return true;
                             }};
  const Device device = Device::open("null", {.memory = memory}).value();
  for (int i = 0; i < 3; ++i) cache.push_back(device.buffer<std::uint8_t>(4 * kMiB).value());
  const auto large = device.buffer<std::uint8_t>(10 * kMiB);
  EXPECT_TRUE(large) << large.error().describe();
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(asked, std::vector<std::uint64_t>(2, 10 * kMiB));
  asked.clear();
  const auto refused = device.buffer<std::uint8_t>(15 * kMiB);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message().find("The device's pool may take 16777216 bytes of "), 0u)
      << refused.error().message();
  EXPECT_EQ(asked.size(), 2u) << "the second time there was nothing left to give back";
}

TEST(PoolByHand, ThatWasMovedFromGivesErrors) {
  const Device device = Device::open("null").value();
  Pool pool(device, {.label = "x"});
  const Pool kept = std::move(pool);
  // NOLINTBEGIN(bugprone-use-after-move)
  const auto refused = pool.buffer<int>(1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(), "The Pool was moved from.");
  EXPECT_EQ(pool.usage().reserved, 0u);
  EXPECT_EQ(pool.label(), "");
  pool.trim();
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_TRUE(kept.buffer<int>(1));
}

TEST(BufferOptions, AnAlignmentIsThatOfTheMemory) {
  const Device device = Device::open("null").value();
  const auto before = device.buffer<std::uint8_t>(1).value();
  for (const std::uint64_t alignment : {1, 2, 64, 256, 4096}) {
    EXPECT_TRUE(device.buffer<std::uint8_t>(100, {.alignment = alignment})) << alignment;
  }
  for (const std::uint64_t alignment : {0, 3, 131'072}) {
    const auto refused = device.buffer<std::uint8_t>(100, {.alignment = alignment});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::invalid_argument);
    EXPECT_EQ(refused.error().message(),
              "An alignment of " + std::to_string(alignment) + " bytes is no power of two up to 65536.");
  }
}

}  // namespace
}  // namespace collet
