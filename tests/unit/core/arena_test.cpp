// The arena: pieces that do not overlap or move, and memory that is reused.

#include "core/arena.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <vector>

namespace collet::core {
namespace {

TEST(Arena, PiecesAreAlignedAndKeepTheirContents) {
  std::mt19937 random(1);
  Arena arena;
  for (int round = 0; round < 20; ++round) {
    struct Piece {
      std::byte* at;
      std::size_t size;
      int value;
    };
    std::vector<Piece> pieces;
    for (int i = 0; i < 300; ++i) {
      const std::size_t size = random() % (i % 50 == 0 ? 60000 : 500);
      pieces.push_back({arena.allocate(size), size, i % 256});
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(pieces.back().at) % 16, 0u);
      if (size != 0) std::memset(pieces.back().at, pieces.back().value, size);
    }
    for (const Piece& piece : pieces) {
      for (std::size_t i = 0; i < piece.size; ++i) ASSERT_EQ(std::to_integer<int>(piece.at[i]), piece.value);
    }
    arena.reset();
  }
}

TEST(Arena, GivesTheSameMemoryAfterReset) {
  Arena arena;
  std::vector<std::byte*> first;
  for (int i = 0; i < 100; ++i) first.push_back(arena.allocate(1000));
  for (int round = 0; round < 5; ++round) {
    arena.reset();
    for (int i = 0; i < 100; ++i) ASSERT_EQ(arena.allocate(1000), first[static_cast<std::size_t>(i)]);
  }
}

TEST(Arena, APieceMayBeLargerThanABlock) {
  Arena arena;
  const auto small = arena.array<std::uint64_t>(1);
  const auto large = arena.array<std::uint64_t>(100'000);
  small[0] = 1;
  std::memset(large.data(), 0xff, large.size_bytes());
  EXPECT_EQ(small[0], 1u);
  EXPECT_EQ(large.size(), 100'000u);
}

// Small pieces, a large one, small again: the large block must not be lost between resets.
TEST(Arena, DoesNotGrowFromRoundToRound) {
  Arena arena;
  std::set<std::byte*> seen;
  for (int round = 0; round < 100; ++round) {
    seen.insert(arena.allocate(100));
    seen.insert(arena.allocate(50'000));
    seen.insert(arena.allocate(10'000));
    arena.reset();
  }
  EXPECT_EQ(seen.size(), 3u);
}

}  // namespace
}  // namespace collet::core
