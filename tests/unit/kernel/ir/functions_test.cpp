// Functions of a kernel: their text form comes back as it was, and what one can't be is refused by name.

#include <gtest/gtest.h>

#include "kernel/ir/passes.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/uniformity.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::ir {
namespace {

constexpr std::string_view kSums = R"(kernel k group(64, 1, 1) {
  buffer x: u32 inout
  function both(u32, u32) -> (u32, bool) {
    %0: u32 = argument 0
    %1: u32 = argument 1
    %2: u32 = add %0, %1
    give %2
    %3: bool = lt %2, %0
    give %3
  }
  function three(u32) -> (u32) {
    %0: u32 = argument 0
    pass %0
    pass %0
    call both
    %1: u32 = result 0
    pass %1
    pass %0
    call both
    %2: u32 = result 0
    give %2
  }
  %0: u32 = global_id 0
  pass %0
  call three
  %1: u32 = result 0
  store x[%0], %1
}
)";

// A kernel of these functions and lines, verified.
Result<Kernel> made(const std::string& functions, const std::string& lines) {
  COLLET_TRY(kernel, parse("kernel k group(1, 1, 1) {\nbuffer x: u32 inout\n" + functions + lines + "}\n"));
  COLLET_CHECK(verify(kernel));
  return kernel;
}

std::string said(const std::string& functions, const std::string& lines = "") {
  const auto kernel = made(functions, lines);
  return kernel ? std::string("accepted") : kernel.error().message();
}

std::string one(const std::string& lines) { return "function f(u32) -> (u32) {\n" + lines + "}\n"; }

constexpr const char* kSame = "%0: u32 = argument 0\ngive %0\n";
constexpr const char* kCall = "%0: u32 = constant 1\npass %0\ncall f\n%1: u32 = result 0\n";

TEST(IrFunctions, PrintAsTheyAreRead) {
  auto kernel = parse(kSums);
  ASSERT_TRUE(kernel) << kernel.error().message();
  ASSERT_TRUE(verify(*kernel)) << verify(*kernel).error().message();
  EXPECT_EQ(print(*kernel), kSums);
  compact(*kernel);
  EXPECT_EQ(print(*kernel), kSums);
}

TEST(IrFunctions, AreFoldedAndCompactedToo) {
  auto kernel = made(one("%0: u32 = argument 0\n%1: u32 = constant 0\n%2: u32 = add %0, %1\n"
                         "%3: u32 = mul %0, %0\ngive %2\n"),
                     kCall);
  ASSERT_TRUE(kernel) << kernel.error().message();
  fold(*kernel);
  compact(*kernel);
  EXPECT_EQ(kernel->functions[0].body.nodes.size(), 2u) << print(*kernel);
}

TEST(IrFunctions, WhatTheyCanNotBeIsNamed) {
  struct Row {
    std::string functions, lines, said;
  };
  const Row rows[] = {
      {one(kSame), kCall, "accepted"},
      {one(kSame) + one(kSame), "", "f is declared twice"},
      {one("%0: u32 = argument 1\ngive %0\n"), "", "is no argument of a function."},
      {one("%0: f32 = argument 0\ngive %0\n"), "", "is no argument of a function."},
      {one("%0: f32 = constant 1\ngive %0\n"), "", "is not the next result of f."},
      {one("%0: u32 = argument 0\n"), "", "gives 0 of its 1 results."},
      {one("%0: u32 = argument 0\ngive %0\ngive %0\n"), "", "is not the next result of f."},
      {one("%0: u32 = argument 0\n%1: bool = eq %0, %0\nif %1 {\ngive %0\n}\n"), "",
       "stands in the body of a function only."},
      {one("%0: u32 = global_id 0\ngive %0\n"), "", "a function computes with its arguments only."},
      {one("%0: u32 = argument 0\n%1: u32 = load x[%0]\ngive %1\n"), "", "there is no such memory."},
      {one("%0: u32 = argument 0\ngive %0\nreturn\n"), "", "a function gives its results at its end."},
      {one("%0: u32 = argument 0\npass %0\ncall f\n%1: u32 = result 0\ngive %1\n"), "",
       "there is no function called f"},
      {"function f(u16) -> (u32) {\n%0: u32 = constant 1\ngive %0\n}\n", "",
       "takes or gives something else than booleans and numbers of 32 or 64 bits."},
      {"function f(u32x2) -> (u32) {\n%0: u32 = constant 1\ngive %0\n}\n", "", "what is passed is a scalar"},
      {"function f(u32) -> () {\n}\n", "", "gives nothing."},
      {one(kSame), "%0: u32 = argument 0\n", "is no argument of a function."},
      {one(kSame), "%0: u32 = constant 1\ngive %0\n", "stands in the body of a function only."},
      {one(kSame), "call f\n", "what is passed is not what f takes."},
      {one(kSame), "%0: f32 = constant 1\npass %0\ncall f\n", "what is passed is not what f takes."},
      {one(kSame), "%0: u32 = result 0\n", "follows no call of its block."},
      {one(kSame), std::string(kCall) + "%2: u32 = result 1\n", "is nothing that f gives."},
      {one(kSame), std::string(kCall) + "%2: f32 = result 0\n", "is nothing that f gives."},
      {one(kSame), "%0: u32 = constant 1\npass %0\nbarrier\ncall f\n",
       "stands between a pass and what it is for."},
      {one(kSame), "%0: u32 = constant 1\npass %0\ncall f\nbarrier\n%1: u32 = result 0\n",
       "follows no call of its block."},
      {one(kSame), "%0: u32 = constant 1\npass %0\n", "a block ends between a pass and what it is for."},
  };
  for (const Row& row : rows) {
    EXPECT_NE(said(row.functions, row.lines).find(row.said), std::string::npos)
        << row.functions << row.lines << "is " << said(row.functions, row.lines);
  }
}

// A barrier behind a branch on what a function gives: all items come there if they pass the same.
TEST(IrFunctions, GiveTheSameToItemsThatPassTheSame) {
  const std::string branch = "%5: bool = eq %1, %0\nif %5 {\nbarrier\n}\n";
  EXPECT_EQ(said(one(kSame), kCall + branch), "accepted");
  const std::string apart = "%0: u32 = local_id 0\npass %0\ncall f\n%1: u32 = result 0\n";
  EXPECT_NE(said(one(kSame), apart + branch), "accepted");
}

}  // namespace
}  // namespace collet::ir
