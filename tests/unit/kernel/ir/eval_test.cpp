// What every operation means, value by value, and which of it folding may use.

#include "kernel/ir/eval.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "kernel/ir/passes.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::ir {
namespace {

std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

struct Row {
  Op op;
  Scalar type;
  std::uint64_t a, b, expected;
};

TEST(IrEval, IntegersWrapAndDivisionIsTotal) {
  const Row rows[] = {
      {Op::negate, Scalar::u32, 1, 0, 0xffffffff},
      {Op::negate, Scalar::i8, 0x80, 0, 0x80},
      {Op::add, Scalar::u8, 0xff, 2, 1},
      {Op::add, Scalar::u64, ~0ull, 1, 0},
      {Op::sub, Scalar::u16, 1, 2, 0xffff},
      {Op::mul, Scalar::u16, 0xffff, 0xffff, 1},
      {Op::div, Scalar::i32, 0x80000000, 0xffffffff, 0x80000000},
      {Op::div, Scalar::i32, 7, 0, 7},
      {Op::div, Scalar::i32, 0xfffffff9, 2, 0xfffffffd},
      {Op::div, Scalar::u32, 0x80000000, 0xffffffff, 0},
      {Op::rem, Scalar::i32, 0x80000000, 0xffffffff, 0},
      {Op::rem, Scalar::i32, 7, 0, 0},
      {Op::rem, Scalar::i32, 0xfffffff9, 4, 0xfffffffd},
      {Op::rem, Scalar::u32, 0x80000000, 0xffffffff, 0x80000000},
      {Op::min, Scalar::i8, 0xff, 1, 0xff},
      {Op::min, Scalar::u8, 0xff, 1, 1},
      {Op::max, Scalar::i8, 0xff, 1, 1},
      {Op::max, Scalar::u8, 0xff, 1, 0xff},
      {Op::abs, Scalar::i16, 0xfffe, 0, 2},
      {Op::abs, Scalar::i16, 2, 0, 2},
      {Op::abs, Scalar::u16, 0xfffe, 0, 0xfffe},
      {Op::abs, Scalar::i32, 0x80000000, 0, 0x80000000},
      {Op::mul_high, Scalar::u8, 0xff, 0xff, 0xfe},
      {Op::mul_high, Scalar::i8, 0xff, 0x7f, 0xff},
      {Op::mul_high, Scalar::u32, 0xffffffff, 0xffffffff, 0xfffffffe},
      {Op::mul_high, Scalar::i32, 0xffffffff, 0xffffffff, 0},
      {Op::mul_high, Scalar::u64, ~0ull, ~0ull, ~1ull},
      {Op::mul_high, Scalar::u64, 0x123456789abcdef0, 0xfedcba9876543210, 0x121fa00ad77d7422},
      {Op::mul_high, Scalar::i64, ~0ull, 5, ~0ull},
      {Op::mul_high, Scalar::i64, 5, ~0ull, ~0ull},
      {Op::mul_high, Scalar::i64, ~0ull, ~0ull, 0},
      {Op::bit_not, Scalar::u8, 0x0f, 0, 0xf0},
      {Op::bit_and, Scalar::u8, 0x3c, 0x0f, 0x0c},
      {Op::bit_or, Scalar::u8, 0x3c, 0x0f, 0x3f},
      {Op::bit_xor, Scalar::u8, 0x3c, 0x0f, 0x33},
      {Op::shl, Scalar::u8, 0x81, 1, 0x02},
      {Op::shl, Scalar::u8, 0x81, 9, 0x02},
      {Op::shl, Scalar::u32, 1, 33, 2},
      {Op::shl, Scalar::u64, 1, 63, 1ull << 63},
      {Op::shr, Scalar::u8, 0x81, 1, 0x40},
      {Op::shr, Scalar::i8, 0x81, 1, 0xc0},
      {Op::shr, Scalar::i32, 0x80000000, 32, 0x80000000},
      {Op::count_bits, Scalar::i16, 0xffff, 0, 16},
      {Op::leading_zeros, Scalar::u16, 1, 0, 15},
      {Op::leading_zeros, Scalar::i64, 0, 0, 64},
      {Op::trailing_zeros, Scalar::u16, 8, 0, 3},
      {Op::trailing_zeros, Scalar::u8, 0, 0, 8},
      {Op::reverse_bits, Scalar::u8, 0x13, 0, 0xc8},
      {Op::reverse_bits, Scalar::i64, 1, 0, 1ull << 63},
      {Op::bit_not, Scalar::boolean, 1, 0, 0},
      {Op::bit_and, Scalar::boolean, 1, 0, 0},
      {Op::bit_and, Scalar::boolean, 1, 1, 1},
      {Op::bit_or, Scalar::boolean, 1, 0, 1},
      {Op::bit_or, Scalar::boolean, 0, 0, 0},
      {Op::bit_xor, Scalar::boolean, 1, 1, 0},
      {Op::bit_xor, Scalar::boolean, 0, 1, 1},
  };
  for (const Row& row : rows) {
    const auto found = evaluate(row.op, row.type, row.type, {row.a, row.b, 0});
    ASSERT_TRUE(found) << name(row.op);
    EXPECT_EQ(*found, row.expected) << name(row.op) << " " << to_string(Type{row.type}) << " " << row.a << " "
                                    << row.b;
  }
}

TEST(IrEval, ComparisonsOrderByTypeAndNanIsInNoOrder) {
  const auto compared = [](Scalar type, std::uint64_t a, std::uint64_t b) {
    std::string found;
    for (const Op op : {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge}) {
      found += *evaluate(op, type, Scalar::boolean, {a, b, 0}) != 0 ? '1' : '0';
    }
    return found;
  };
  EXPECT_EQ(compared(Scalar::u8, 3, 3), "100101");
  EXPECT_EQ(compared(Scalar::u8, 0xff, 1), "010011");
  EXPECT_EQ(compared(Scalar::i8, 0xff, 1), "011100");
  EXPECT_EQ(compared(Scalar::f32, bits_of(-0.0f), bits_of(0.0f)), "100101");
  EXPECT_EQ(compared(Scalar::f64, bits_of(std::nan("")), bits_of(1.0)), "010000");
}

TEST(IrEval, ConversionsSaturateAndNanIsZero) {
  const struct {
    Scalar from, to;
    std::uint64_t value, expected;
  } rows[] = {
      {Scalar::i8, Scalar::i32, 0xff, 0xffffffff},
      {Scalar::u8, Scalar::i32, 0xff, 0xff},
      {Scalar::u32, Scalar::u8, 0x1ff, 0xff},
      {Scalar::u32, Scalar::boolean, 2, 1},
      {Scalar::boolean, Scalar::f32, 1, bits_of(1.0f)},
      {Scalar::f32, Scalar::boolean, bits_of(-0.0f), 0},
      {Scalar::f32, Scalar::i32, bits_of(-1.9f), 0xffffffff},
      {Scalar::f32, Scalar::u32, bits_of(-1.0f), 0},
      {Scalar::f32, Scalar::u8, bits_of(255.9f), 255},
      {Scalar::f32, Scalar::u8, bits_of(256.0f), 255},
      {Scalar::f32, Scalar::i32, bits_of(2147483648.0f), 0x7fffffff},
      {Scalar::f32, Scalar::i32, bits_of(-3e9f), 0x80000000},
      {Scalar::f64, Scalar::i32, bits_of(-2147483648.0), 0x80000000},
      {Scalar::f64, Scalar::u64, bits_of(1e30), ~0ull},
      {Scalar::f32, Scalar::i32, bits_of(std::nanf("")), 0},
      {Scalar::f64, Scalar::f32, bits_of(0.1), bits_of(0.1f)},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(evaluate(Op::convert, row.from, row.to, {row.value, 0, 0}), row.expected)
        << to_string(Type{row.from}) << " to " << to_string(Type{row.to}) << " of " << row.value;
  }
  EXPECT_EQ(evaluate(Op::bitcast, Scalar::f32, Scalar::u32, {bits_of(1.0f), 0, 0}), 0x3f800000u);
  EXPECT_EQ(evaluate(Op::select, Scalar::boolean, Scalar::u32, {1, 2, 3}), 2u);
  EXPECT_EQ(evaluate(Op::select, Scalar::boolean, Scalar::u32, {0, 2, 3}), 3u);
  EXPECT_FALSE(evaluate(Op::convert, Scalar::f16, Scalar::u32, {0, 0, 0}));
  EXPECT_FALSE(evaluate(Op::load, Scalar::u32, Scalar::u32, {0, 0, 0}));
}

TEST(IrEval, FloatsAreIeee) {
  const struct {
    Op op;
    double a, b, expected;
  } rows[] = {
      {Op::negate, 1, 0, -1},      {Op::add, 1, 2, 3},       {Op::sub, 1, 2, -1},
      {Op::mul, 3, 2, 6},          {Op::div, 3, 2, 1.5},     {Op::rem, -7, 4, -3},
      {Op::min, 1, 2, 1},          {Op::min, 2, 1, 1},       {Op::max, 1, 2, 2},
      {Op::max, 2, 1, 2},          {Op::abs, -2, 0, 2},      {Op::floor, -1.5, 0, -2},
      {Op::ceil, -1.5, 0, -1},     {Op::trunc, -1.5, 0, -1}, {Op::round_even, 2.5, 0, 2},
      {Op::round_even, 3.5, 0, 4}, {Op::sqrt, 9, 0, 3},      {Op::fma, 2, 3, 6 + 0.5},
  };
  for (const auto& row : rows) {
    const auto wide =
        evaluate(row.op, Scalar::f64, Scalar::f64, {bits_of(row.a), bits_of(row.b), bits_of(0.5)});
    EXPECT_EQ(wide, bits_of(row.expected)) << name(row.op);
    const auto narrow =
        evaluate(row.op, Scalar::f32, Scalar::f32,
                 {bits_of(static_cast<float>(row.a)), bits_of(static_cast<float>(row.b)), bits_of(0.5f)});
    EXPECT_EQ(narrow, bits_of(static_cast<float>(row.expected))) << name(row.op);
  }
}

// A kernel of these statements without dead code, in its canonical form; folded before, or not.
std::string canonical(std::string_view statements, bool folding) {
  Kernel kernel =
      parse(
          "kernel k group(1, 1, 1) {\n  buffer x: u32 inout\n  buffer f: f32 inout\n"
          "  %0: u32 = constant 0\n  %1: u32 = load x[%0]\n  %2: u32 = constant 1\n  %3: f32 = load f[%0]\n"
          "  %4: bool = eq %1, %2\n  %5: f32 = constant 0.0\n  %6: bool = constant true\n"
          "  %7: bool = constant false\n" +
          std::string(statements) + "}\n")
          .value();
  EXPECT_TRUE(verify(kernel)) << statements;
  if (folding) fold(kernel);
  compact(kernel);
  EXPECT_TRUE(verify(kernel)) << print(kernel);
  return print(kernel);
}

void expect_becomes(std::string_view before, std::string_view after) {
  EXPECT_EQ(canonical(before, true), canonical(after, false)) << before;
}

TEST(IrFold, WhatChangesNothingIsLeftOut) {
  const auto stored = [](std::string_view expression) {
    return "  %9: u32 = " + std::string(expression) + "\n  store x[%0], %9\n";
  };
  for (const char* const same : {"add %1, %0", "add %0, %1", "bit_or %1, %0", "bit_or %0, %1",
                                 "bit_xor %1, %0", "bit_xor %0, %1", "sub %1, %0", "shl %1, %0", "shr %1, %0",
                                 "mul %1, %2", "mul %2, %1", "div %1, %2", "select %4, %1, %1"}) {
    expect_becomes(stored(same), "  store x[%0], %1\n");
  }
  for (const char* const zero : {"mul %1, %0", "mul %0, %1"})
    expect_becomes(stored(zero), "  store x[%0], %0\n");
  for (const char* const kept : {"sub %0, %1", "shl %0, %1", "shr %0, %1", "rem %1, %2", "add %1, %2",
                                 "div %2, %1", "bit_and %1, %0", "min %1, %0", "select %4, %1, %2"}) {
    expect_becomes(stored(kept), stored(kept));
  }
}

TEST(IrFold, FloatsAndVectorsAreNotComputed) {
  // x + 0.0 is not x where x is -0.0.
  const std::string_view sum = "  %9: f32 = add %3, %5\n  store f[%0], %9\n";
  expect_becomes(sum, sum);
  const std::string_view constants = "  %8: f32 = constant 1.5\n  %9: f32 = add %8, %8\n  store f[%0], %9\n";
  expect_becomes(constants, constants);
  const std::string_view converted = "  %8: f32 = constant 1.5\n  %9: u32 = convert %8\n  store x[%0], %9\n";
  expect_becomes(converted, converted);
  expect_becomes("  %8: u32x2 = compose %1, %2\n  %9: u32 = extract %8, 1\n  store x[%0], %9\n",
                 "  store x[%0], %2\n");
  expect_becomes("  %8: u32x2 = compose %1, %2\n  %9: u32 = extract %8, 0\n  store x[%0], %9\n",
                 "  store x[%0], %1\n");
}

TEST(IrFold, IntegersBecomeFloats) {
  expect_becomes("  %8: i8 = constant -1\n  %9: f32 = convert %8\n  store f[%0], %9\n",
                 "  %9: f32 = constant -1.0\n  store f[%0], %9\n");
  expect_becomes("  %8: u32 = constant 4294967295\n  %9: f32 = convert %8\n  store f[%0], %9\n",
                 "  %9: f32 = constant 4294967296.0\n  store f[%0], %9\n");
}

TEST(IrFold, AConstantConditionChooses) {
  expect_becomes("  %9: u32 = select %6, %1, %2\n  store x[%0], %9\n", "  store x[%0], %1\n");
  expect_becomes("  %9: u32 = select %7, %1, %2\n  store x[%0], %9\n", "  store x[%0], %2\n");
  const std::string both =
      " {\n    store x[%0], %1\n  } else {\n    store x[%0], %2\n  }\n  store x[%2], %2\n";
  expect_becomes("  if %6" + both, "  store x[%0], %1\n  store x[%2], %2\n");
  expect_becomes("  if %7" + both, "  store x[%0], %2\n  store x[%2], %2\n");
  expect_becomes("  if %7 {\n    store x[%0], %1\n  }\n  store x[%2], %2\n", "  store x[%2], %2\n");
  expect_becomes("  if %4 {\n    %9: u32 = add %2, %2\n    store x[%0], %9\n  }\n",
                 "  if %4 {\n    %9: u32 = constant 2\n    store x[%0], %9\n  }\n");
  expect_becomes("  if %4 {\n  } else {\n    %9: u32 = add %2, %2\n    store x[%0], %9\n  }\n",
                 "  if %4 {\n  } else {\n    %9: u32 = constant 2\n    store x[%0], %9\n  }\n");
}

TEST(IrFold, WhatFollowsAJumpThatIsSureToBeTakenIsLeftOut) {
  expect_becomes("  store x[%2], %1\n  if %6 {\n    return\n  }\n  store x[%0], %1\n",
                 "  store x[%2], %1\n  return\n");
  expect_becomes("  store x[%2], %1\n  if %7 {\n    return\n  }\n  store x[%0], %1\n",
                 "  store x[%2], %1\n  store x[%0], %1\n");
}

TEST(IrCompact, OnlyWhatHasAnEffectStays) {
  const auto expect_left = [](std::string_view before, std::string_view after) {
    EXPECT_EQ(canonical(before, false), canonical(after, false)) << before;
  };
  expect_left("  %9: u32 = variable\n  set %9, %1\n", "");
  expect_left(
      "  %8: u32 = variable\n  %9: u32 = variable\n  set %9, %1\n  %10: u32 = get %9\n  set %8, %10\n", "");
  expect_left("  %9: u32 = load x[%2]\n", "");
  expect_left("  if %4 {\n    store x[%0], %1\n  } else {\n  }\n", "  if %4 {\n    store x[%0], %1\n  }\n");
  for (const char* const kept :
       {"  %9: u32 = variable\n  set %9, %1\n  %10: u32 = get %9\n  store x[%0], %10\n",
        "  %9: u32 = atomic_load x[%0]\n", "  %9: u32 = atomic_add x[%0], %2\n", "  %9: u32 = uniform %2\n",
        "  barrier\n", "  fence device\n", "  return\n",
        "  loop {\n    break\n  } continuing {\n    store x[%0], %2\n  }\n"}) {
    EXPECT_NE(canonical(kept, false), canonical("", false)) << kept;
  }
  EXPECT_NE(canonical("  if %4 {\n    store x[%0], %1\n  } else {\n    store x[%2], %1\n  }\n", false),
            canonical("  if %4 {\n    store x[%0], %1\n  }\n", false));
}

}  // namespace
}  // namespace collet::ir
