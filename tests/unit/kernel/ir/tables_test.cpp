// Tables of a kernel: their text form comes back as it was, what one can't be is refused by name, and
// elements that are known are constants.

#include <gtest/gtest.h>

#include "kernel/ir/passes.hpp"
#include "kernel/ir/table.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::ir {
namespace {

std::string kernel_of(const std::string& lines) {
  return "kernel k group(64, 1, 1) {\n  buffer x: f32 inout\n" + lines + "}\n";
}

constexpr const char* kTable = "  table t: f32 [0.5, -2.0, 0x7f800000]\n";

std::string said(const std::string& lines) {
  const auto kernel = parse(kernel_of(lines));
  if (!kernel) return kernel.error().message();
  const auto verified = verify(*kernel);
  return verified ? std::string("accepted") : verified.error().message();
}

TEST(IrTables, PrintAsTheyAreRead) {
  const std::string text = kernel_of(std::string(kTable) +
                                     "  table u: u64 [1, 18446744073709551615]\n  table v: i32 [-1]\n"
                                     "  %0: u32 = global_id 0\n  %1: f32 = load t[%0]\n  store x[%0], %1\n");
  const auto kernel = parse(text);
  ASSERT_TRUE(kernel) << kernel.error().message();
  EXPECT_EQ(print(*kernel), text);
  EXPECT_EQ(table_element(kernel->memories[2], 1), ~std::uint64_t{0});
}

TEST(IrTables, WhatTheyCanNotBeIsNamed) {
  const std::string index = "%0: u32 = global_id 0\n";
  const std::string value = "%1: f32 = load x[%0]\n";
  EXPECT_EQ(said(std::string(kTable) + index + "%2: f32 = load t[%0]\n"), "accepted");
  const std::pair<std::string, std::string> rows[] = {
      {std::string(kTable) + index + value + "store t[%0], %1\n", "t is read only."},
      {std::string(kTable) + index + value + "%2: f32 = atomic_add t[%0], %1\n", "t is read only."},
      {std::string(kTable) + index + "%2: u32 = atomic_load t[%0]\n", "memory that items share."},
      {std::string(kTable) + "%0: u32 = length t\n", "length"},
      {"table t: u16 [1]\n", "a table holds numbers of 32 or 64 bits"},
      {"table t: f32x2 [1]\n", "a table holds numbers of 32 or 64 bits"},
      {"table t: f32 []\n", "Memory t has no elements."},
      {"table t: f32 [1, x]\n", "is no f32"},
      {"table t: f32 [1 2]\n", "\",\" is missing"},
  };
  for (const auto& [lines, words] : rows)
    EXPECT_NE(said(lines).find(words), std::string::npos) << lines << "is " << said(lines);
  std::string many = "table t: u32 [0";
  for (int i = 0; i < 10000; ++i) many += ", 1";
  EXPECT_NE(said(many + "]\n" + "table u" + many.substr(7) + "]\n").find("has tables of 80008 bytes"),
            std::string::npos);
}

TEST(IrTables, OfAnotherSizeThanTheyHoldAreRefused) {
  Kernel kernel = parse(kernel_of(kTable)).value();
  ASSERT_TRUE(verify(kernel));
  kernel.memories[1].count = 4;
  EXPECT_FALSE(verify(kernel));
  kernel.memories[1].count = 3;
  kernel.memories[0].contents.resize(4);
  EXPECT_FALSE(verify(kernel));
}

TEST(IrTables, ElementsThatAreKnownAreConstants) {
  Kernel kernel =
      parse(kernel_of(std::string(kTable) + "%0: u32 = constant 1\n%1: f32 = load t[%0]\nstore x[%0], %1\n"
                                            "%2: u32 = constant 3\n%3: f32 = load t[%2]\nstore x[%2], %3\n"))
          .value();
  fold(kernel);
  compact(kernel);
  const std::string text = print(kernel);
  EXPECT_EQ(text.find("load"), std::string::npos) << text;
  EXPECT_NE(text.find("f32 = constant -2"), std::string::npos) << text;
  EXPECT_NE(text.find("f32 = constant 0"), std::string::npos) << text;
}

TEST(IrTables, GiveTheSameToItemsThatAskForTheSame) {
  const std::string rest = "%5: f32 = load t[%0]\n%6: bool = lt %5, %5\nif %6 {\nbarrier\n}\n";
  EXPECT_EQ(said(std::string(kTable) + "%0: u32 = group_id 0\n" + rest), "accepted");
  EXPECT_NE(said(std::string(kTable) + "%0: u32 = local_id 0\n" + rest), "accepted");
}

}  // namespace
}  // namespace collet::ir
