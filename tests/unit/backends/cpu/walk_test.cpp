// The order in which the groups of a grid run on the CPU.

#include "backends/cpu/walk.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "kernel/ir/text.hpp"

namespace collet::backend::cpu {
namespace {

using Id = std::array<std::uint32_t, 3>;

std::uint64_t total(const Id& count) { return std::uint64_t{count[0]} * count[1] * count[2]; }

// One by one.
std::vector<Id> walked(const Id& count, std::uint32_t columns) {
  std::vector<Id> ids;
  Walk walk(count, columns, 0);
  while (ids.size() < total(count)) {
    ids.push_back(walk.id());
    walk.go(1);
  }
  return ids;
}

TEST(CpuWalk, WithoutStripsGoesAlongXYZ) {
  const std::vector<Id> ids = walked({3, 2, 2}, 0);
  const std::vector<Id> wanted{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0},
                               {0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {0, 1, 1}, {1, 1, 1}, {2, 1, 1}};
  EXPECT_EQ(ids, wanted);
}

TEST(CpuWalk, StripsGoDownBeforeTheyGoOn) {
  const std::vector<Id> ids = walked({3, 4, 2}, 2);
  const std::vector<Id> wanted{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 2, 0}, {1, 2, 0},
                               {0, 3, 0}, {1, 3, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {2, 3, 0},
                               {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0, 2, 1}, {1, 2, 1},
                               {0, 3, 1}, {1, 3, 1}, {2, 0, 1}, {2, 1, 1}, {2, 2, 1}, {2, 3, 1}};
  EXPECT_EQ(ids, wanted);
}

TEST(CpuWalk, WideGridsAreOneStrip) { EXPECT_EQ(walked({8, 4, 1}, 4), walked({8, 4, 1}, 0)); }

TEST(CpuWalk, ComesToEachGroupOnceAndFindsItByItsNumber) {
  for (const Id& count : {Id{1, 1, 1}, Id{7, 5, 3}, Id{8, 1, 2}, Id{1, 9, 1}, Id{13, 20, 1}}) {
    for (const std::uint32_t columns : {0u, 1u, 2u, 4u, 7u, 100u}) {
      const std::vector<Id> ids = walked(count, columns);
      EXPECT_EQ(std::set<Id>(ids.begin(), ids.end()).size(), total(count));
      for (std::uint64_t number = 0; number < ids.size(); ++number) {
        const Walk walk(count, columns, number);
        EXPECT_EQ(walk.id(), ids[number]) << number << " of strips of " << columns;
      }
    }
  }
}

TEST(CpuWalk, RowsEndWhereTheStripDoes) {
  Walk walk({10, 6, 1}, 4, 1);
  EXPECT_EQ(walk.left(), 3u);
  walk.go(3);
  EXPECT_EQ(walk.id(), (Id{0, 1, 0}));
  EXPECT_EQ(walk.left(), 4u);
  const Walk last({10, 6, 1}, 4, 58);
  EXPECT_EQ(last.id(), (Id{8, 5, 0}));
  EXPECT_EQ(last.left(), 2u);
}

TEST(CpuWalk, NumbersMayBeGreaterThanAWord) {
  const Id count{0xffffffffu, 0xffffffffu, 2};
  const std::uint64_t plane = std::uint64_t{0xffffffffu} * 0xffffffffu;
  EXPECT_EQ(Walk(count, 0, plane - 1).id(), (Id{0xfffffffeu, 0xfffffffeu, 0}));
  EXPECT_EQ(Walk(count, 4, plane - 1).id(), (Id{0xfffffffeu, 0xfffffffeu, 0}));
}

std::uint32_t columns_of(const std::string& group, const std::string& body) {
  const auto kernel = ir::parse("kernel k group(" + group + ") {\n  buffer y: u32 inout\n" +
                                "  %0: u32 = constant 0\n  %1: u32 = constant 4\n  %2: u32 = constant 1\n" +
                                "  %3: bool = lt %0, %1\n" + body + "}\n");
  EXPECT_TRUE(kernel) << kernel.error().message();
  return kernel ? find_columns(*kernel) : 0;
}

TEST(CpuWalk, StripsAreForFlatGroupsThatMeetInLoops) {
  const std::string loop = "  %4: u32 = range %0, %1, %2 {\n    barrier\n  }\n";
  const std::string nested =
      "  if %3 {\n    %4: u32 = range %0, %1, %2 {\n      if %3 {\n        barrier\n      }\n    }\n  }\n";
  EXPECT_GT(columns_of("16, 16, 1", loop), 0u);
  EXPECT_GT(columns_of("16, 16, 1", nested), 0u);
  EXPECT_EQ(columns_of("256, 1, 1", loop), 0u);
  EXPECT_EQ(columns_of("1, 256, 1", loop), 0u);
  EXPECT_EQ(columns_of("16, 16, 1", "  barrier\n"), 0u);
  EXPECT_EQ(columns_of("16, 16, 1", "  if %3 {\n    barrier\n  }\n"), 0u);
  EXPECT_EQ(columns_of("16, 16, 1", ""), 0u);
}

}  // namespace
}  // namespace collet::backend::cpu
