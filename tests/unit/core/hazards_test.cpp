// Hazards against a reference that remembers everything and compares byte by byte.

#include "core/hazards.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace collet::core {
namespace {

using backend::Access;
using backend::Slice;

constexpr std::uint64_t kBytes = 24;

// What the commands since the last ordered one (with it) touched, byte by byte.
class Reference {
 public:
  bool conflicts(std::span<const Slice> slices) const {
    for (const Slice& now : slices) {
      for (const Slice& before : touched_) {
        if (now.memory.id != before.memory.id) continue;
        if (now.access == Access::read && before.access == Access::read) continue;
        for (std::uint64_t byte = 0; byte < kBytes; ++byte) {
          if (covers(now, byte) && covers(before, byte)) return true;
        }
      }
    }
    return false;
  }
  void add(bool ordered, std::span<const Slice> slices) {
    if (ordered) touched_.clear();
    touched_.insert(touched_.end(), slices.begin(), slices.end());
  }
  std::size_t size() const { return touched_.size(); }

 private:
  static bool covers(const Slice& slice, std::uint64_t byte) {
    return slice.offset <= byte && byte - slice.offset < slice.size;
  }
  std::vector<Slice> touched_;
};

std::vector<Slice> random_slices(std::mt19937& random, std::size_t most) {
  std::vector<Slice> slices(random() % (most + 1));
  for (Slice& slice : slices) {
    slice.memory.id = 1 + random() % 6;
    slice.offset = random() % kBytes;
    slice.size = random() % (kBytes - slice.offset + 1);
    slice.access = random() % 8 == 0 ? Access::read_write : random() % 8 == 0 ? Access::write : Access::read;
  }
  return slices;
}

// Never an order too few; one too many only where the list is full.
TEST(Hazards, AgreeWithAReferenceOnRandomCommands) {
  std::mt19937 random(4711);
  int ordered_count = 0;
  int free_count = 0;
  for (int run = 0; run < 2000; ++run) {
    Hazards hazards;
    Reference reference;
    for (int i = 0; i < 40; ++i) {
      const std::vector<Slice> slices = random_slices(random, 3);
      const bool must = i == 0 || reference.conflicts(slices);
      const bool full = reference.size() + slices.size() > 32;
      const bool ordered = hazards.order(slices);
      ASSERT_TRUE(ordered || !must) << "run " << run << ", command " << i;
      ASSERT_TRUE(must || full || !ordered) << "run " << run << ", command " << i;
      reference.add(ordered, slices);
      ++(ordered ? ordered_count : free_count);
    }
  }
  EXPECT_GT(ordered_count, 1000);
  EXPECT_GT(free_count, 1000);
}

TEST(Hazards, TheFirstCommandIsOrdered) { EXPECT_TRUE(Hazards().order({})); }

TEST(Hazards, TwoReadersRunBesideEachOther) {
  Hazards hazards;
  const Slice all{{1}, 0, 16, Access::read};
  (void)hazards.order({&all, 1});
  EXPECT_FALSE(hazards.order({&all, 1}));
}

TEST(Hazards, OrderNextOrdersOnce) {
  Hazards hazards;
  (void)hazards.order({});
  hazards.order_next();
  EXPECT_TRUE(hazards.order({}));
  EXPECT_FALSE(hazards.order({}));
}

TEST(Hazards, ACommandWithMoreSlicesThanFitOrdersItselfAndTheNext) {
  Hazards hazards;
  (void)hazards.order({});
  std::vector<Slice> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = {{i + 1}, 0, 16, Access::read};
  EXPECT_TRUE(hazards.order(many));
  EXPECT_TRUE(hazards.order({}));
  EXPECT_FALSE(hazards.order({}));
}

}  // namespace
}  // namespace collet::core
