// TLSF against a map of what is live.

#include "memory/tlsf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace collet::memory {
namespace {

struct Live {
  std::uint64_t size;
  std::uint32_t node;
};
using Reference = std::map<std::uint64_t, Live>;  // by offset

bool is_free(const Reference& live, std::uint64_t offset, std::uint64_t size) {
  const auto after = live.lower_bound(offset);
  if (after != live.end() && after->first < offset + size) return false;
  return after == live.begin() || std::prev(after)->first + std::prev(after)->second.size <= offset;
}

void run_randomly(std::uint64_t size, std::uint64_t granularity, std::uint64_t seed, int steps) {
  Tlsf tlsf(size, granularity);
  const std::uint64_t whole = tlsf.largest_free();
  std::mt19937_64 random(seed);
  Reference live;
  std::uint64_t used = 0;
  int refused = 0;
  for (int step = 0; step < steps; ++step) {
    if (live.empty() || random() % 100 < 55) {
      const std::uint64_t asked = 1 + random() % (std::uint64_t{1} << (random() % 18));
      const std::uint64_t alignment = std::uint64_t{1} << (random() % 14);
      const std::uint64_t rounded = (asked + granularity - 1) / granularity * granularity;
      const auto range = tlsf.allocate(asked, alignment);
      if (!range) {
        ++refused;
        const std::uint64_t padding = alignment > granularity ? alignment - granularity : 0;
        ASSERT_LT(tlsf.largest_free(), rounded + padding) << "refused what there was room for";
        continue;
      }
      ASSERT_EQ(range->offset % std::max(alignment, granularity), 0u);
      ASSERT_LE(range->offset + rounded, size);
      ASSERT_TRUE(is_free(live, range->offset, rounded)) << "offset " << range->offset << " size " << rounded;
      live[range->offset] = {rounded, range->node};
      used += rounded;
    } else {
      auto victim = live.lower_bound(random() % size);
      if (victim == live.end()) victim = live.begin();
      used -= victim->second.size;
      tlsf.free(victim->second.node);
      live.erase(victim);
    }
    ASSERT_EQ(tlsf.used(), used);
  }
  EXPECT_GT(refused, 0) << "the block was never full";
  for (const auto& [offset, range] : live) tlsf.free(range.node);
  EXPECT_TRUE(tlsf.empty());
  EXPECT_EQ(tlsf.largest_free(), whole) << "free neighbours were not joined";
}

TEST(Tlsf, RandomUseNeverOverlapsAndEndsInOneFreeRange) {
  run_randomly(1 << 20, 16, 1, 60'000);
  run_randomly(1 << 20, 64, 2, 60'000);
  run_randomly(777'777, 256, 3, 60'000);
}

TEST(Tlsf, WhatLargestFreePromisesIsServed) {
  std::mt19937_64 random(4);
  Tlsf tlsf(1 << 22);
  std::vector<std::uint32_t> live;
  for (int step = 0; step < 20'000; ++step) {
    if (const std::uint64_t largest = tlsf.largest_free(); largest != 0) {
      const auto range = tlsf.allocate(largest);
      ASSERT_TRUE(range) << largest;
      tlsf.free(range->node);
    }
    if (live.empty() || random() % 2 == 0) {
      if (const auto range = tlsf.allocate(1 + random() % 5000)) live.push_back(range->node);
    } else {
      std::swap(live[random() % live.size()], live.back());
      tlsf.free(live.back());
      live.pop_back();
    }
  }
}

TEST(Tlsf, TheWholeBlockCanBeTakenAtOnceWhateverItsSize) {
  for (const std::uint64_t granules : {1u, 2u, 15u, 16u, 17u, 31u, 33u, 1000u, 4095u, 65537u}) {
    Tlsf tlsf(granules * 16);
    const auto range = tlsf.allocate(granules * 16);
    ASSERT_TRUE(range) << granules;
    EXPECT_EQ(range->offset, 0u);
    EXPECT_EQ(tlsf.largest_free(), 0u);
    EXPECT_FALSE(tlsf.allocate(1));
    tlsf.free(range->node);
    EXPECT_TRUE(tlsf.empty());
  }
}

TEST(Tlsf, EveryGranuleOfABlockCanBeARangeOfItsOwn) {
  Tlsf tlsf(16 * 1024);
  std::vector<std::uint32_t> nodes;
  while (const auto range = tlsf.allocate(1)) nodes.push_back(range->node);
  EXPECT_EQ(nodes.size(), 1024u);
  EXPECT_EQ(tlsf.used(), tlsf.size());
  // Every second one first: nothing can be joined until the others follow.
  for (std::size_t i = 0; i < nodes.size(); i += 2) tlsf.free(nodes[i]);
  EXPECT_EQ(tlsf.largest_free(), 16u);
  for (std::size_t i = 1; i < nodes.size(); i += 2) tlsf.free(nodes[i]);
  EXPECT_EQ(tlsf.largest_free(), tlsf.size());
}

TEST(Tlsf, WhatCanNotFitIsRefusedWithoutOverflow) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  Tlsf tlsf(4096);
  EXPECT_FALSE(tlsf.allocate(4097));
  EXPECT_FALSE(tlsf.allocate(kMax));
  EXPECT_FALSE(tlsf.allocate(kMax - 15, std::uint64_t{1} << 63));
  EXPECT_FALSE(tlsf.allocate(16, std::uint64_t{1} << 63));
  EXPECT_TRUE(tlsf.allocate(4096));
  Tlsf nothing(15);
  EXPECT_FALSE(nothing.allocate(1));
  EXPECT_EQ(nothing.largest_free(), 0u);
}

TEST(Tlsf, BlocksBeyond4GiBKeepTheirOffsets) {
  Tlsf tlsf(std::uint64_t{1} << 50);
  ASSERT_TRUE(tlsf.allocate((std::uint64_t{1} << 49) + 16));
  const auto range = tlsf.allocate(std::uint64_t{1} << 40, 1 << 20);
  ASSERT_TRUE(range);
  EXPECT_GT(range->offset, std::uint64_t{1} << 49);
  EXPECT_EQ(range->offset % (1 << 20), 0u);
}

}  // namespace
}  // namespace collet::memory
