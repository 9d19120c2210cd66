// Accesses that need no check.

#include "kernel/ir/inside.hpp"

#include <gtest/gtest.h>

#include "kernel/ir/text.hpp"

namespace collet::ir {
namespace {

// Of the kernel's only access to the memory `name`.
bool is_inside(const std::string& name, const std::string& body) {
  const auto kernel = parse(
      "kernel k group(64, 1, 1) {\n  buffer x: u32 in\n  buffer y: u32 inout\n  value n: u32\n"
      "  workgroup tile: u32 [64]\n  item own: u32 [8]\n" +
      body + "}\n");
  EXPECT_TRUE(kernel) << kernel.error().message();
  if (!kernel) return false;
  const std::vector<bool> inside = find_inside(*kernel).always;
  for (Id id = 0; id < kernel->nodes.size(); ++id) {
    const Node& node = kernel->nodes[id];
    const bool access = node.op == Op::load || node.op == Op::store || is_atomic(node.op);
    if (access && kernel->memories[node.low()].name == name) return inside[id];
  }
  ADD_FAILURE() << "There is no access to " << name << ".";
  return false;
}

constexpr const char* kIds = R"(
  %0: u32 = global_id 0
  %1: u32 = local_id 0
  %2: u32 = length x
  %3: u32 = constant 1
  %4: u32 = constant 0
  %5: u32 = constant 8
)";

TEST(Inside, AnIdIsNotKnownToBe) {
  EXPECT_FALSE(is_inside("x", std::string(kIds) + "  %6: u32 = load x[%0]\n"));
  EXPECT_FALSE(is_inside("own", std::string(kIds) + "  %6: u32 = load own[%1]\n"));
}

TEST(Inside, TheFirstElementAlwaysIs) {
  EXPECT_TRUE(is_inside("x", std::string(kIds) + "  %6: u32 = load x[%4]\n"));
  EXPECT_FALSE(is_inside("x", std::string(kIds) + "  %6: u32 = load x[%3]\n"));
}

TEST(Inside, ByArithmetic) {
  EXPECT_TRUE(is_inside("tile", std::string(kIds) + "  %6: u32 = load tile[%1]\n"));
  EXPECT_TRUE(is_inside("own", std::string(kIds) + "  %6: u32 = rem %0, %5\n  %7: u32 = load own[%6]\n"));
  EXPECT_FALSE(is_inside("own", std::string(kIds) + "  %6: u32 = min %0, %5\n  %7: u32 = load own[%6]\n"));
  EXPECT_TRUE(is_inside("x", std::string(kIds) + "  %6: u32 = rem %0, %2\n  %7: u32 = load x[%6]\n"));
  EXPECT_TRUE(is_inside(
      "x", std::string(kIds) + "  %6: u32 = sub %2, %3\n  %7: u32 = min %0, %6\n  %8: u32 = load x[%7]\n"));
  EXPECT_FALSE(is_inside(
      "x", std::string(kIds) + "  %6: u32 = sub %2, %5\n  %7: u32 = min %0, %6\n  %8: u32 = load x[%7]\n"));
}

TEST(Inside, OfTheBufferWhoseLengthWasAskedFor) {
  EXPECT_FALSE(is_inside("y", std::string(kIds) + "  %6: u32 = rem %0, %2\n  store y[%6], %0\n"));
}

TEST(Inside, InTheBranchThatAsked) {
  EXPECT_TRUE(is_inside("x", std::string(kIds) + R"(
  %6: bool = lt %0, %2
  if %6 {
    %7: u32 = load x[%0]
  }
)"));
  EXPECT_FALSE(is_inside("x", std::string(kIds) + R"(
  %6: bool = le %0, %2
  if %6 {
    %7: u32 = load x[%0]
  }
)"));
}

TEST(Inside, WhoeverComputesTheValue) {
  EXPECT_TRUE(is_inside("x", std::string(kIds) + R"(
  %6: bool = lt %0, %2
  if %6 {
    %7: u32 = global_id 0
    %8: u32 = load x[%7]
  }
)"));
}

TEST(Inside, NotBehindTheBranch) {
  EXPECT_FALSE(is_inside("x", std::string(kIds) + R"(
  %6: bool = lt %0, %2
  if %6 {
    store y[%4], %0
  }
  %7: u32 = load x[%0]
)"));
}

TEST(Inside, BehindAnExit) {
  EXPECT_TRUE(is_inside("x", std::string(kIds) + R"(
  %6: bool = ge %0, %2
  if %6 {
    return
  }
  %7: u32 = load x[%0]
)"));
}

TEST(Inside, InTheOtherBranch) {
  EXPECT_TRUE(is_inside("x", std::string(kIds) + R"(
  %6: bool = ge %0, %2
  if %6 {
    store y[%4], %0
  } else {
    %7: u32 = load x[%0]
  }
)"));
}

TEST(Inside, OfBothSidesOfAnAnd) {
  EXPECT_TRUE(is_inside("x", std::string(kIds) + R"(
  %6: bool = lt %0, %2
  %7: bool = lt %1, %5
  %8: bool = bit_and %7, %6
  if %8 {
    %9: u32 = load x[%0]
  }
)"));
  EXPECT_FALSE(is_inside("x", std::string(kIds) + R"(
  %6: bool = lt %0, %2
  %7: bool = lt %1, %5
  %8: bool = bit_or %7, %6
  if %8 {
    %9: u32 = load x[%0]
  }
)"));
}

TEST(Inside, InALoopOverTheLength) {
  EXPECT_TRUE(is_inside("x", std::string(kIds) + R"(
  %6: u32 = range %4, %2, %3 {
    %7: u32 = load x[%6]
  }
)"));
}

TEST(Inside, ASignedComparisonSaysNothingOfTheSign) {
  EXPECT_FALSE(is_inside("own", std::string(kIds) + R"(
  %6: i32 = bitcast %0
  %7: i32 = constant 8
  %8: bool = lt %6, %7
  if %8 {
    %9: u32 = bitcast %6
    %10: u32 = load own[%9]
  }
)"));
}

// Of the accesses to `x` in order: what their index does not exceed where a launch has 10 x 6 elements in
// groups of 8 x 4, and the value n is 12; kUnbounded where it is anything.
std::vector<std::uint64_t> ceilings(const std::string& body) {
  const auto kernel =
      parse("kernel k group(8, 4, 1) {\n  buffer x: u32 in\n  buffer y: u32 inout\n  value n: u32\n" + body +
            "}\n");
  EXPECT_TRUE(kernel) << kernel.error().message();
  std::vector<std::uint64_t> found;
  if (!kernel) return found;
  const Inside inside = find_inside(*kernel);
  const auto leaf = [](const Ceiling& term) -> std::uint64_t {
    switch (term.what) {
      case Ceiling::What::element_count: return term.a == 0 ? 10 : 6;
      case Ceiling::What::group_count: return 2;
      case Ceiling::What::length: return 100;
      default: return 12;
    }
  };
  CeilingValues values;
  evaluate(inside.terms, leaf, values);
  for (Id id = 0; id < kernel->nodes.size(); ++id) {
    const Node& node = kernel->nodes[id];
    if (node.op != Op::load || node.low() != 0) continue;
    found.push_back(inside.ceiling[id] == kNone ? kUnbounded : values[inside.ceiling[id]]);
  }
  return found;
}

constexpr const char* kPlace = R"(
  %0: u32 = global_id 0
  %1: u32 = global_id 1
  %2: u32 = parameter n
  %3: u32 = mul %1, %2
  %4: u32 = add %3, %0
  %5: u32 = element_count 0
  %6: u32 = element_count 1
  %7: u32 = constant 1
  %8: u32 = constant 0
)";

TEST(Ceilings, OfIdsAreTheItemsOfAllGroups) {
  EXPECT_EQ(ceilings(std::string(kPlace) + "  %9: u32 = load x[%4]\n  %10: u32 = load x[%0]\n"),
            (std::vector<std::uint64_t>{7 * 12 + 15, 15}));
}

TEST(Ceilings, OfIdsThatExistAreTheElements) {
  EXPECT_EQ(ceilings(std::string(kPlace) + R"(
  %9: bool = lt %0, %5
  %10: bool = lt %1, %6
  %11: bool = bit_and %9, %10
  if %11 {
    %12: u32 = load x[%4]
  }
  %13: u32 = load x[%4]
)"),
            (std::vector<std::uint64_t>{5 * 12 + 9, 7 * 12 + 15}));
}

// The neighbours of a cell that is not at the border.
TEST(Ceilings, OfNeighboursGoByWhatTheBorderExcludes) {
  EXPECT_EQ(ceilings(std::string(kPlace) + R"(
  %9: bool = gt %0, %8
  %10: u32 = add %0, %7
  %11: bool = lt %10, %2
  %12: bool = bit_and %9, %11
  %13: bool = gt %1, %8
  %14: bool = bit_and %12, %13
  if %14 {
    %15: u32 = sub %4, %7
    %16: u32 = load x[%15]
    %17: u32 = add %4, %7
    %18: u32 = load x[%17]
    %19: u32 = sub %4, %2
    %20: u32 = load x[%19]
  }
)"),
            (std::vector<std::uint64_t>{7 * 12 + 10 - 1, 7 * 12 + 10 + 1, 7 * 12 + 10}));
}

TEST(Ceilings, ADifferenceThatMayWrapAroundHasNone) {
  EXPECT_EQ(ceilings(std::string(kPlace) + "  %9: u32 = sub %4, %7\n  %10: u32 = load x[%9]\n"),
            (std::vector<std::uint64_t>{kUnbounded}));
}

TEST(Ceilings, AProductThatMayWrapAroundIsUnbounded) {
  EXPECT_EQ(ceilings(std::string(kPlace) + R"(
  %9: u32 = constant 1000000000
  %10: u32 = mul %4, %9
  %11: u32 = load x[%10]
  %12: u32 = constant 100
  %13: bool = lt %10, %12
  if %13 {
    %14: u32 = load x[%10]
    %15: u32 = sub %10, %9
    %16: u32 = load x[%15]
  }
)"),
            (std::vector<std::uint64_t>{kUnbounded, 99, kUnbounded}));
}

// A divisor that the launch passes may be 1, and a shift by it 0.
TEST(Ceilings, OfQuotientsAreQuotientsByWhatIsFixed) {
  EXPECT_EQ(ceilings(std::string(kPlace) + R"(
  %9: u32 = constant 2
  %10: u32 = div %4, %9
  %11: u32 = load x[%10]
  %12: u32 = shr %4, %9
  %13: u32 = load x[%12]
  %14: u32 = div %4, %7
  %15: u32 = load x[%14]
  %16: u32 = shr %4, %8
  %17: u32 = load x[%16]
  %18: u32 = div %4, %2
  %19: u32 = load x[%18]
  %20: u32 = shr %4, %2
  %21: u32 = load x[%20]
)"),
            (std::vector<std::uint64_t>{99 / 2, 99 / 4, 99, 99, 99, 99}));
}

TEST(Ceilings, WhatWasLoadedHasNone) {
  EXPECT_EQ(ceilings(std::string(kPlace) + "  %9: u32 = load x[%8]\n  %10: u32 = load x[%9]\n"),
            (std::vector<std::uint64_t>{kUnbounded, kUnbounded}));
}

TEST(Ceilings, OfACounterIsItsEnd) {
  EXPECT_EQ(ceilings(std::string(kPlace) + R"(
  %9: u32 = range %8, %2, %7 {
    %10: u32 = add %3, %9
    %11: u32 = load x[%10]
  }
)"),
            (std::vector<std::uint64_t>{7 * 12 + 11}));
}

}  // namespace
}  // namespace collet::ir
