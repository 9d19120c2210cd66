// Grids: what the three ways to write one mean.

#include "collet/grid.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace collet {
namespace {

using Size = std::array<std::uint64_t, 3>;

TEST(Grid, ANumberIsElementsInOneDimension) {
  EXPECT_EQ(Grid(1000).size(), (Size{1000, 1, 1}));
  EXPECT_EQ(Grid(1000).unit(), Grid::Unit::elements);
  EXPECT_EQ(Grid(std::uint8_t{200}).size()[0], 200u);
  EXPECT_EQ(Grid(std::numeric_limits<std::uint64_t>::max()).size()[0], ~std::uint64_t{0});
}

TEST(Grid, ElementsAndGroupsSayTheirUnit) {
  EXPECT_EQ(elements(640, 480).size(), (Size{640, 480, 1}));
  EXPECT_EQ(elements(640, 480).unit(), Grid::Unit::elements);
  EXPECT_EQ(groups(4, 5, 6).size(), (Size{4, 5, 6}));
  EXPECT_EQ(groups(4, 5, 6).unit(), Grid::Unit::groups);
}

TEST(Grid, IsEmptyWhereAnyDimensionIs) {
  EXPECT_TRUE(Grid(0).empty());
  EXPECT_TRUE(elements(5, 0).empty());
  EXPECT_TRUE(groups(1, 1, 0).empty());
  EXPECT_FALSE(Grid(1).empty());
}

TEST(Grid, ANegativeCountIsImpossiblyLargeNotSmall) { EXPECT_EQ(Grid(-1).size()[0], ~std::uint64_t{0}); }

TEST(Grid, AGroupHasOneToThreeDimensions) {
  EXPECT_EQ(group(64).size, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(group(8, 4, 2).size, (std::array<std::uint32_t, 3>{8, 4, 2}));
}

}  // namespace
}  // namespace collet
