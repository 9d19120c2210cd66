// The pool on the null backend, and on a device around it that counts, limits and fails allocations.

#include "memory/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "backends/null/device.hpp"
#include "memory/heap.hpp"
#include "unit/limited_device.hpp"

namespace collet::memory {
namespace {

using backend::Placement;
using test::LimitedDevice;

constexpr std::uint64_t kKiB = 1 << 10;
constexpr std::uint64_t kMiB = 1 << 20;

bool all_zero(const Block& block) {
  return std::all_of(block.host, block.host + block.size, [](std::byte b) { return b == std::byte{0}; });
}

std::uint64_t random_size(std::mt19937_64& random, int magnitudes) {
  return 1 + random() % (std::uint64_t{1} << (random() % static_cast<std::uint64_t>(magnitudes)));
}

// Live blocks with a byte of their own in them, so that an overlap shows as a changed byte.
class Reference {
 public:
  explicit Reference(Pool& pool) : pool_(pool) {}

  void add(const Block& block, std::uint64_t asked) {
    ASSERT_GE(block.size, asked);
    ASSERT_LT(block.size - asked, 16u);
    ASSERT_EQ(block.offset % 64, 0u);
    ASSERT_TRUE(!block.zeroed || all_zero(block))
        << "offset " << block.offset << ", " << block.size << " bytes";
    const auto mark = static_cast<std::byte>(1 + marks_++ % 255);
    std::fill_n(block.host, block.size, mark);
    live_.push_back({block, mark});
  }

  void remove(std::size_t index) {
    const auto [block, mark] = live_[index];
    ASSERT_TRUE(std::all_of(block.host, block.host + block.size, [m = mark](std::byte b) { return b == m; }))
        << "another block wrote into offset " << block.offset;
    live_[index] = live_.back();
    live_.pop_back();
    pool_.free(block);
  }

  std::size_t size() const { return live_.size(); }

 private:
  struct Live {
    Block block;
    std::byte mark;
  };
  Pool& pool_;
  std::vector<Live> live_;
  std::uint64_t marks_ = 0;
};

void use_randomly(Pool& pool, std::uint64_t seed, int steps, int magnitudes) {
  std::mt19937_64 random(seed);
  Reference reference(pool);
  for (int step = 0; step < steps; ++step) {
    if (reference.size() == 0 || (reference.size() < 300 && random() % 2 == 0)) {
      const std::uint64_t asked = random_size(random, magnitudes);
      const auto block = pool.allocate(asked, static_cast<Placement>(random() % 4), "random");
      ASSERT_TRUE(block) << block.error().describe();
      ASSERT_NO_FATAL_FAILURE(reference.add(*block, asked));
    } else {
      ASSERT_NO_FATAL_FAILURE(reference.remove(random() % reference.size()));
    }
  }
  while (reference.size() != 0) ASSERT_NO_FATAL_FAILURE(reference.remove(reference.size() - 1));
}

void expect_everything_returns(LimitedDevice& device, int magnitudes) {
  Pool pool(device);
  use_randomly(pool, 7, 6'000, magnitudes);
  EXPECT_EQ(pool.usage().used, 0u);
  EXPECT_EQ(pool.usage().buffers, 0u);
  EXPECT_EQ(pool.usage().reserved, device.bytes());
  EXPECT_EQ(pool.usage().blocks, device.count());
  pool.trim();
  EXPECT_EQ(device.bytes(), 0u);
  pool.trim();
  EXPECT_EQ(pool.usage().reserved, 0u);
  EXPECT_EQ(pool.usage().blocks, 0u);
  use_randomly(pool, 8, 500, magnitudes);
}

TEST(Pool, RandomUseOfCutUpBlocksNeverOverlapsAndReturnsEverything) {
  LimitedDevice device;
  expect_everything_returns(device, 18);
}

TEST(Pool, RandomUseOnASmallDeviceMixesCutUpAndWholeAllocations) {
  LimitedDevice device;
  device.total = 2 * kMiB;  // blocks of 256 KiB, so that requests over 128 KiB are whole
  expect_everything_returns(device, 20);
}

TEST(Pool, RandomUseWithoutSharedBlocksNeverOverlapsAndReturnsEverything) {
  LimitedDevice device;
  device.limits.shared_blocks = false;
  expect_everything_returns(device, 18);
}

TEST(Pool, WorksOnTheNullBackend) {
  backend::null::NullDevice device;
  Pool pool(device);
  use_randomly(pool, 9, 2'000, 18);
}

TEST(Pool, AHundredThousandBuffersLiveWithinAFewNativeAllocations) {
  LimitedDevice device;
  device.limits.max_allocations = 4096;
  Pool pool(device);
  std::vector<Block> blocks;
  for (int i = 0; i < 100'000; ++i) {
    const auto block = pool.allocate(1 + static_cast<std::uint64_t>(i) % 8192, Placement::device, {});
    ASSERT_TRUE(block) << block.error().describe();
    blocks.push_back(*block);
  }
  EXPECT_EQ(pool.usage().buffers, 100'000u);
  EXPECT_LT(device.most, 32u);
  EXPECT_LT(device.bytes(), 600 * kMiB);  // 410 MB asked
  for (const Block& block : blocks) pool.free(block);
  EXPECT_EQ(device.count(), 1u) << "one empty block is kept, no more";
}

TEST(Pool, OffsetsAreAlignedAsTheDeviceAsks) {
  LimitedDevice device;
  device.limits.offset_alignment = 256;
  device.limits.copy_alignment = 512;
  Pool pool(device);
  for (std::uint64_t size = 1; size < 2000; size += 97) {
    const auto block = pool.allocate(size, Placement::device, {});
    ASSERT_TRUE(block);
    EXPECT_EQ(block->offset % 512, 0u);
  }
}

TEST(Pool, LargeRequestsGetANativeAllocationOfTheirOwn) {
  LimitedDevice device;
  Pool pool(device);
  const auto large = pool.allocate(5 * 1024 * kMiB, Placement::device, "volume");
  ASSERT_TRUE(large) << large.error().describe();
  EXPECT_EQ(large->offset, 0u);
  EXPECT_TRUE(large->zeroed);
  EXPECT_EQ(device.bytes(), 5 * 1024 * kMiB);
  pool.free(*large);
  EXPECT_EQ(device.bytes(), 0u) << "too large to be kept";
}

TEST(Pool, WhatOneAllocationCanNotHoldIsRefusedWithBothFigures) {
  LimitedDevice device;
  device.limits.max_allocation = 1000;
  Pool pool(device);
  const auto refused = pool.allocate(1001, Placement::device, "weights");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::out_of_memory);
  EXPECT_EQ(refused.error().cause(), Cause::allocation_failed);
  EXPECT_EQ(refused.error().message(),
            "[Buffer \"weights\"] asks for 1001 bytes; Limited allows at most 1000 bytes in one allocation.");
  EXPECT_FALSE(pool.allocate(~std::uint64_t{0}, Placement::device, {}));
  EXPECT_EQ(device.calls, 0u);
  EXPECT_TRUE(pool.allocate(992, Placement::device, {}));
}

TEST(Pool, TheLimitOnNativeAllocationsIsANamedErrorAndNoDriverCall) {
  LimitedDevice device;
  device.limits.shared_blocks = false;
  device.limits.max_allocations = 10;
  Pool pool(device);
  std::vector<Block> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(pool.allocate(kKiB, Placement::device, {}).value());
  const auto refused = pool.allocate(kKiB, Placement::upload, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::out_of_memory);
  EXPECT_EQ(refused.error().message(),
            "Limited allows at most 10 native allocations at once, and as many are live (10); one more of "
            "1024 bytes "
            "is needed.");
  EXPECT_EQ(device.calls, 10u);

  pool.free(blocks.front());  // into the cache of another placement, which is trimmed when it is in the way
  EXPECT_TRUE(pool.allocate(2 * kKiB, Placement::upload, {}));
}

TEST(Pool, WhenTheDriverHasNoMemoryEverythingIdleIsGivenBackAndAskedAgain) {
  LimitedDevice device;
  device.room = 100 * kMiB;
  Pool pool(device);
  const auto first = pool.allocate(60 * kMiB, Placement::device, {});
  ASSERT_TRUE(first);
  pool.free(*first);
  EXPECT_EQ(device.bytes(), 60 * kMiB) << "kept for the next request of that size";
  EXPECT_TRUE(pool.allocate(96 * kMiB, Placement::readback, {}));
}

TEST(Pool, AnErrorForWantOfMemorySaysWhatWasAskedReservedAndUsed) {
  LimitedDevice device;
  device.room = 100 * kMiB;
  Pool pool(device);
  ASSERT_TRUE(pool.allocate(96 * kMiB, Placement::device, {}));
  const auto refused = pool.allocate(40 * kMiB, Placement::device, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::out_of_memory);
  EXPECT_EQ(refused.error().native_name(), "FAKE_OUT_OF_DEVICE_MEMORY");
  EXPECT_EQ(pool.usage().most_reserved, 96 * kMiB) << "what the driver refused was never reserved";
  ASSERT_EQ(refused.error().context().size(), 1u);
  EXPECT_EQ(refused.error().context().front(),
            "allocating 41943040 bytes from a pool that has reserved 100663296 bytes (native allocations: 1) "
            "and uses "
            "100663296 bytes (buffers: 1)");
}

TEST(Pool, ASmallerBlockIsTakenWhenThereIsNoRoomForAFullOne) {
  LimitedDevice device;
  device.room = kMiB;
  Pool pool(device);
  std::uint64_t served = 0;
  while (pool.allocate(64 * kKiB, Placement::device, {})) served += 64 * kKiB;
  EXPECT_EQ(served, kMiB);
}

TEST(Pool, AWholeAllocationIsNotRoundedUpWhenThereIsNoRoomForIt) {
  LimitedDevice device;
  device.room = 100 * kMiB + 16;  // its size class has 104 MiB
  Pool pool(device);
  EXPECT_TRUE(pool.allocate(100 * kMiB + 16, Placement::device, {}));
}

Geometry geometry_of(LimitedDevice& device) {
  return Geometry::of(device.caps(), device.total == 0 ? ~std::uint64_t{0} : device.total);
}

TEST(Pool, SizesFollowFromTheDevicesLimits) {
  LimitedDevice device;
  device.limits.offset_alignment = 16;
  device.limits.copy_alignment = 4;
  device.limits.max_allocation = 1000 * kMiB + 17;
  Geometry geometry = geometry_of(device);
  EXPECT_EQ(geometry.alignment, 64u);
  EXPECT_EQ(geometry.max_allocation, 1000 * kMiB + 16);
  EXPECT_EQ(geometry.cache_bytes, 64 * kMiB);
  EXPECT_EQ(geometry.first_block, 4 * kMiB);
  EXPECT_EQ(geometry.largest_block, 64 * kMiB);

  device.limits.offset_alignment = 192;
  device.total = 64 * kMiB;
  geometry = geometry_of(device);
  EXPECT_EQ(geometry.alignment, 256u);
  EXPECT_EQ(geometry.cache_bytes, 4 * kMiB);
  EXPECT_EQ(geometry.first_block, 4 * kMiB);
  EXPECT_EQ(geometry.largest_block, 8 * kMiB);

  device.limits.copy_alignment = 512;
  device.limits.max_allocation = 3000;
  geometry = geometry_of(device);
  EXPECT_EQ(geometry.alignment, 512u);
  EXPECT_EQ(geometry.largest_block, 2048u);
  EXPECT_EQ(geometry.first_block, 2048u);
  device.limits.max_allocation = 1040;
  EXPECT_EQ(geometry_of(device).largest_block, 1024u) << "two ranges fit";
  device.limits.max_allocation = 1008;
  EXPECT_EQ(geometry_of(device).largest_block, 0u) << "only one would fit";
  device.limits.max_allocation = 1000 * kMiB;
  device.limits.shared_blocks = false;
  EXPECT_EQ(geometry_of(device).largest_block, 0u);
  device.total = 0;  // it does not say
  EXPECT_EQ(geometry_of(device).cache_bytes, 64 * kMiB);
}

TEST(Pool, EmptyBlocksAreGivenBackButForOneAndAWarmPoolDoesNotCallTheDriver) {
  LimitedDevice device;
  Pool pool(device);
  std::vector<Block> blocks;
  for (int i = 0; i < 300; ++i) blocks.push_back(pool.allocate(kMiB, Placement::device, {}).value());
  EXPECT_GT(device.count(), 4u);
  for (const Block& block : blocks) pool.free(block);
  EXPECT_EQ(device.count(), 1u);
  EXPECT_LE(device.bytes(), 64 * kMiB);

  const std::uint64_t calls = device.calls;
  for (int i = 0; i < 1000; ++i) pool.free(pool.allocate(kMiB, Placement::device, {}).value());
  EXPECT_EQ(device.calls, calls);
}

TEST(Pool, WholeAllocationsAreReusedForTheirSizeClassAndTheCacheIsBounded) {
  LimitedDevice device;
  device.limits.shared_blocks = false;
  Pool pool(device);
  const Block first = pool.allocate(100'000, Placement::device, {}).value();
  EXPECT_TRUE(first.zeroed);
  pool.free(first);
  const Block again = pool.allocate(100'100, Placement::device, {}).value();
  EXPECT_EQ(again.memory, first.memory);
  EXPECT_FALSE(again.zeroed);
  EXPECT_EQ(device.calls, 1u);
  pool.free(again);

  std::vector<Block> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(pool.allocate(2 * kMiB, Placement::device, {}).value());
  for (const Block& block : blocks) pool.free(block);
  EXPECT_LE(device.bytes(), 64 * kMiB);
  EXPECT_EQ(device.count(), 32u) << "the oldest, of another size, went first";
}

TEST(Pool, ZeroedIsClaimedOnceForEachRangeAndOnlyIfTheDriverDoes) {
  for (const bool shared_blocks : {true, false}) {
    LimitedDevice device;
    device.limits.shared_blocks = shared_blocks;
    Pool pool(device);
    const Block first = pool.allocate(4 * kKiB, Placement::shared, {}).value();
    const Block second = pool.allocate(4 * kKiB, Placement::shared, {}).value();
    EXPECT_TRUE(first.zeroed && second.zeroed);
    EXPECT_TRUE(all_zero(first) && all_zero(second));
    std::memset(first.host, 0xff, first.size);
    pool.free(first);
    const Block reused = pool.allocate(4 * kKiB, Placement::shared, {}).value();
    EXPECT_EQ(reused.host, first.host);
    EXPECT_FALSE(reused.zeroed);

    LimitedDevice dirty;
    dirty.limits.shared_blocks = shared_blocks;
    dirty.zeroes = false;
    Pool dirty_pool(dirty);
    EXPECT_FALSE(dirty_pool.allocate(4 * kKiB, Placement::shared, {}).value().zeroed);
  }
}

TEST(Pool, ThreadsShareAPoolWithoutDisturbingEachOther) {
  for (const bool shared_blocks : {true, false}) {
    LimitedDevice device;
    device.limits.shared_blocks = shared_blocks;
    Pool pool(device);
    std::atomic<bool> done{false};
    std::thread trimmer([&] {
      while (!done) {
        pool.trim();
        EXPECT_LE(pool.usage().buffers, 1200u);
        std::this_thread::yield();
      }
    });
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      threads.emplace_back([&pool, seed] { use_randomly(pool, 100 + seed, 2'000, 16); });
    }
    for (auto& thread : threads) thread.join();
    done = true;
    trimmer.join();
    EXPECT_EQ(pool.usage().used, 0u);
  }
}

TEST(Pool, TakesNoMoreThanItsLimit) {
  LimitedDevice device;
  Pool pool(device, {.name = "[Pool \"weights\"]", .limit = 64 * kMiB});
  std::vector<Block> blocks;
  for (;;) {
    const auto block = pool.allocate(kMiB, Placement::device, "layer");
    if (!block) {
      EXPECT_EQ(block.error().code(), ErrorCode::out_of_memory);
      EXPECT_EQ(
          block.error().message(),
          "[Pool \"weights\"] may take 67108864 bytes of Limited and has taken 67108864; 1048576 more are "
          "needed.");
      EXPECT_NE(block.error().hint().find("MemoryOptions::limit"), std::string::npos);
      EXPECT_NE(block.error().describe().find("from [Pool \"weights\"] that has reserved 67108864"),
                std::string::npos)
          << block.error().describe();
      break;
    }
    blocks.push_back(*block);
    ASSERT_LE(device.bytes(), 64 * kMiB);
  }
  EXPECT_EQ(blocks.size(), 64u) << "all of it could be used";
  EXPECT_EQ(pool.usage().limit, 64 * kMiB);
  EXPECT_EQ(pool.usage().refusals, 1u);
  EXPECT_FALSE(pool.allocate(65 * kMiB, Placement::device, "large"));
  pool.free(blocks.back());
  EXPECT_TRUE(pool.allocate(kMiB, Placement::device, "layer"));
}

TEST(Pool, ThreadsTogetherDoNotPassItsLimit) {
  LimitedDevice device;
  device.limits.shared_blocks = false;
  Pool pool(device, {.limit = 100 * kKiB});
  std::vector<std::thread> threads;
  std::atomic<int> made{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) made += pool.allocate(kKiB, Placement::device, {}).has_value() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 100);
  EXPECT_EQ(pool.usage().most_reserved, 100 * kKiB);
}

TEST(Pool, AnAlignmentThatIsAskedForIsThatOfTheOffset) {
  LimitedDevice device;
  Pool pool(device);
  std::mt19937_64 random(3);
  Reference reference(pool);
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t asked = 1 + random() % 5000, alignment = std::uint64_t{1} << (random() % 17);
    const auto block = pool.allocate(asked, Placement::device, {}, alignment);
    ASSERT_TRUE(block) << block.error().describe();
    ASSERT_EQ(block->offset % alignment, 0u);
    ASSERT_NO_FATAL_FAILURE(reference.add(*block, asked));
    if (i % 3 == 0) {
      ASSERT_NO_FATAL_FAILURE(reference.remove(random() % reference.size()));
    }
  }
  while (reference.size() != 0) ASSERT_NO_FATAL_FAILURE(reference.remove(0));
  EXPECT_EQ(pool.usage().used, 0u);
}

TEST(Pool, CountsWhatItDid) {
  LimitedDevice device;
  Pool pool(device);
  EXPECT_EQ(pool.usage().reuse(), 0.0);
  const auto first = pool.allocate(100 * kKiB, Placement::device, {}).value();
  for (int i = 0; i < 99; ++i) pool.free(pool.allocate(50 * kKiB, Placement::device, {}).value());
  pool.free(first);
  const MemoryUsage usage = pool.usage();
  EXPECT_EQ(usage.allocations, 100u);
  EXPECT_EQ(usage.native_allocations, 1u);
  EXPECT_DOUBLE_EQ(usage.reuse(), 0.99);
  EXPECT_EQ(usage.most_used, 150 * kKiB);
  EXPECT_EQ(usage.most_reserved, 4 * kMiB);
  EXPECT_EQ(usage.used, 0u);
  EXPECT_EQ(usage.refusals, 0u);
}

TEST(Pool, SaysHowMuchOfItIsScattered) {
  LimitedDevice device;
  Pool pool(device);
  std::vector<Block> blocks;
  for (int i = 0; i < 64; ++i) blocks.push_back(pool.allocate(64 * kKiB, Placement::device, {}).value());
  EXPECT_EQ(device.bytes(), 4 * kMiB) << "one full block";
  EXPECT_EQ(pool.usage().scattered, 0u);
  for (std::size_t i = 0; i < blocks.size(); i += 2) pool.free(blocks[i]);
  EXPECT_EQ(pool.usage().scattered, 31 * 64 * kKiB) << "32 holes, of which one is the largest";
  EXPECT_DOUBLE_EQ(pool.usage().fragmentation(), 31.0 / 64);
  for (std::size_t i = 1; i < blocks.size(); i += 2) pool.free(blocks[i]);
  EXPECT_EQ(pool.usage().scattered, 0u);
}

TEST(Pool, TracesWhatHappens) {
  LimitedDevice device;
  device.room = 10 * kMiB;
  std::vector<std::string> events;
  {
    Pool pool(device, {.trace = [&](const MemoryEvent& event) {
                static constexpr std::array kNames{"allocated", "freed", "refused", "reserved", "returned"};
                events.push_back(std::string(kNames[static_cast<std::size_t>(event.kind)]) + " " +
                                 std::to_string(event.bytes) + " " + std::string(event.label));
              }});
    const auto block = pool.allocate(1000, Placement::device, "x").value();
    EXPECT_FALSE(pool.allocate(8 * kMiB, Placement::device, "y"));
    pool.free(block);
    pool.trim();
  }
  EXPECT_EQ(events, (std::vector<std::string>{"reserved 4194304 collet pool", "allocated 1008 x",
                                              "refused 8388608 y", "freed 1008 ", "returned 4194304 "}));
}

TEST(Pool, WhereThereIsNoMemoryOthersGiveBackWhatTheyKeep) {
  LimitedDevice device;
  device.room = 100 * kMiB;
  Pool keeps(device);
  keeps.free(keeps.allocate(60 * kMiB, Placement::device, {}).value());
  EXPECT_EQ(device.bytes(), 60 * kMiB);
  Pool pool(keeps, {.reclaim = [&] { keeps.trim(); }});
  EXPECT_TRUE(pool.allocate(96 * kMiB, Placement::device, {}));
}

}  // namespace
}  // namespace collet::memory
