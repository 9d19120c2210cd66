// The kernel IR: its text, verifier, and passes.

#include <gtest/gtest.h>

#include "kernel/ir/passes.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::ir {
namespace {

constexpr std::string_view kSaxpy = R"(kernel saxpy group(64, 1, 1) {
  buffer x: f32 in
  buffer y: f32 inout
  value a: f32
  %0: u32 = global_id 0
  %1: f32 = load x[%0]
  %2: f32 = parameter a
  %3: f32 = mul %2, %1
  %4: f32 = load y[%0]
  %5: f32 = add %3, %4
  store y[%0], %5
}
)";

constexpr std::string_view kEverything = R"(kernel everything group(16, 4, 1) {
  buffer particles: bytes(12) inout may_alias
  value scale: f32x4
  buffer out: u32 out
  value settings: bytes(12, 4)
  workgroup tile: f32 [256]
  item scratch: i32 [8]
  %0: u32 = local_id 1
  %1: u32 = constant 7
  %2: f32 = load particles[%0]+4
  %3: f32x4 = parameter scale
  %4: f32 = extract %3, 2
  %5: f32 = fma %2, %4, %4
  %6: i32 = constant -3
  %7: f32 = constant 0.1
  %8: f64 = constant -1.5e+300
  %9: f32 = constant 0x7fc00000
  %10: bool = constant true
  %11: u32 = variable
  set %11, %1
  if %10 {
    store tile[%0], %5
  } else {
    store scratch[%1], %6
  }
  barrier
  %12: u32 = constant 1
  %13: u32 = range %12, %1, %12 {
    %14: u32 = get %11
    %15: u32 = add %14, %13
    set %11, %15
    %16: bool = lt %15, %1
    if %16 {
      continue
    }
  }
  loop {
    %17: u32 = get %11
    %18: bool = ge %17, %1
    if %18 {
      break
    }
  } continuing {
    %19: u32 = get %11
    %20: u32 = add %19, %12
    set %11, %20
  }
  %21: u32 = get %11
  %22: u32 = parameter settings+8
  %23: u32x2 = compose %21, %22
  %24: u32 = atomic_add out[%0], %21
  fence device
  return
}
)";

std::string wrong(std::string_view text) {
  auto parsed = parse(text);
  if (!parsed) return parsed.error().message();
  auto verified = verify(*parsed);
  return verified ? std::string() : verified.error().message();
}

std::string body(std::string_view statements) {
  return "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  buffer r: u32 in\n  workgroup s: u32 [64]\n" +
         std::string(statements) + "}\n";
}

TEST(IrText, PrintsWhatItParsed) {
  for (const std::string_view text : {kSaxpy, kEverything}) {
    auto kernel = parse(text);
    ASSERT_TRUE(kernel) << kernel.error().message();
    EXPECT_EQ(print(*kernel), text);
  }
}

TEST(IrText, NamesTheLineAndQuotesWhatIsWrong) {
  EXPECT_EQ(wrong("kernel k group(1, 1, 1) {\n  %0: u32 = addd %1\n}\n"),
            "Line 2 of the IR text: \"addd\" is no operation before \" %1\".");
  EXPECT_NE(wrong("kernel k group(1, 1, 1) {\n").find("a statement or \"}\" is missing"), std::string::npos);
  EXPECT_NE(wrong("kernel k group(1, 1, 1) {\n %0: i8 = constant 200\n}").find("\"200\" is no i8"),
            std::string::npos);
}

TEST(IrText, EveryTruncationIsAnErrorAndNoCrash) {
  for (std::size_t length = 0; length + 2 < kEverything.size(); ++length) {
    EXPECT_FALSE(parse(kEverything.substr(0, length))) << length;
  }
}

TEST(IrVerify, AcceptsGoodKernels) {
  EXPECT_EQ(wrong(kSaxpy), "");
  EXPECT_EQ(wrong(body("  barrier\n")), "");
}

TEST(IrVerify, QuotesTheNode) {
  EXPECT_EQ(wrong(body("  %0: u32 = constant 1\n  %1: f32 = constant 1.0\n  %2: u32 = add %0, %1\n")),
            "In [Kernel \"k\"], \"%2: u32 = add %0, %1\": takes and gives numbers of one type.");
}

TEST(IrVerify, AValueIsSeenInItsBlockOnly) {
  EXPECT_NE(wrong(body("  %0: bool = constant true\n  if %0 {\n    %1: u32 = constant 1\n  }\n"
                       "  %2: u32 = add %1, %1\n"))
                .find("argument 0 is not defined here"),
            std::string::npos);
}

TEST(IrVerify, ABarrierMustBeReachedByAll) {
  const std::string divergent = "  %0: u32 = local_id 0\n  %1: u32 = constant 5\n  %2: bool = lt %0, %1\n";
  EXPECT_NE(wrong(body(divergent + "  if %2 {\n    barrier\n  }\n")).find("not all items"),
            std::string::npos);
  EXPECT_NE(wrong(body(divergent + "  if %2 {\n    return\n  }\n  barrier\n")).find("not all items"),
            std::string::npos);
  EXPECT_EQ(wrong(body(divergent + "  if %2 {\n    store x[%0], %1\n  }\n  barrier\n")), "");
  const std::string loop = divergent + "  %3: u32 = range %1, %0, %1 {\n    barrier\n  }\n";
  EXPECT_NE(wrong(body(loop)).find("not all items"), std::string::npos);
}

TEST(IrVerify, DivergenceTravelsThroughVariablesAndLoops) {
  const std::string through_variable =
      "  %0: u32 = variable\n  %1: u32 = local_id 0\n  %2: u32 = constant 3\n  set %0, %2\n"
      "  %3: u32 = range %2, %2, %2 {\n    %4: u32 = get %0\n    %5: bool = lt %4, %2\n    if %5 {\n      "
      "barrier\n"
      "    }\n    set %0, %1\n  }\n";
  EXPECT_NE(wrong(body(through_variable)).find("not all items"), std::string::npos);
  const std::string left_early =
      "  %0: u32 = local_id 0\n  %1: u32 = constant 3\n  %2: bool = eq %0, %1\n  loop {\n    barrier\n    if "
      "%2 {\n"
      "      break\n    }\n  }\n";
  EXPECT_NE(wrong(body(left_early)).find("not all items"), std::string::npos);
}

TEST(IrVerify, OnlyReadOnlyBuffersGiveUniformValues) {
  const auto text = [](std::string_view from) {
    return body("  %0: u32 = constant 0\n  %1: u32 = load " + std::string(from) +
                "[%0]\n  %2: bool = eq %1, %0\n  if %2 {\n    barrier\n  }\n");
  };
  EXPECT_EQ(wrong(text("r")), "");
  EXPECT_NE(wrong(text("x")).find("not all items"), std::string::npos);
  EXPECT_NE(wrong(text("s")).find("not all items"), std::string::npos);
}

TEST(IrVerify, RefusesAccessesThatDoNotFit) {
  EXPECT_NE(wrong(body("  %0: u32 = constant 0\n  %1: u64 = load x[%0]\n")).find("reaches beyond"),
            std::string::npos);
  EXPECT_NE(wrong(body("  %0: u32 = constant 0\n  store r[%0], %0\n")).find("read only"), std::string::npos);
  EXPECT_NE(wrong(body("  break\n")).find("is outside a loop"), std::string::npos);
}

TEST(IrPasses, FoldingFollowsTotalArithmetic) {
  auto kernel =
      parse(body("  %0: i32 = constant -2147483648\n  %1: i32 = constant -1\n  %2: i32 = div %0, %1\n"
                 "  %3: i32 = constant 0\n  %4: i32 = div %2, %3\n  %5: i32 = rem %4, %3\n"
                 "  %6: i32 = add %4, %5\n  %7: u32 = bitcast %6\n  %8: u32 = constant 33\n"
                 "  %9: u32 = shl %8, %8\n  %10: u32 = add %7, %9\n  store x[%8], %10\n"))
          .value();
  fold(kernel);
  compact(kernel);
  ASSERT_TRUE(verify(kernel));
  // -2^31 / -1 = -2^31; / 0 stays; % 0 = 0; 33 << 33 = 33 << 1.
  EXPECT_NE(print(kernel).find("constant 2147483714"), std::string::npos) << print(kernel);
  EXPECT_EQ(kernel.nodes.size(), 3u);
}

TEST(IrPasses, ABranchOnAConstantIsDecided) {
  auto kernel = parse(body("  %0: bool = constant false\n  %1: u32 = constant 1\n  if %0 {\n    store x[%1], "
                           "%1\n  } else {\n"
                           "    store x[%1], %1\n    store x[%1], %1\n  }\n"))
                    .value();
  fold(kernel);
  compact(kernel);
  ASSERT_TRUE(verify(kernel));
  EXPECT_EQ(print(kernel).find("if"), std::string::npos);
  EXPECT_EQ(kernel.nodes.size(), 3u);
}

TEST(IrPasses, WhatADecidedBranchComputedIsKept) {
  auto kernel = parse(body("  %0: bool = constant false\n  if %0 {\n  } else {\n    %1: u32 = constant 7\n"
                           "    store x[%1], %1\n  }\n"))
                    .value();
  fold(kernel);
  compact(kernel);
  const auto verified = verify(kernel);
  ASSERT_TRUE(verified) << verified.error().message();
  EXPECT_EQ(kernel.nodes.size(), 2u);
}

TEST(IrPasses, EqualKernelsHaveEqualHashesWhateverTheirNumbers) {
  auto first = parse(kSaxpy).value();
  auto second = parse(body("  %5: u32 = constant 9\n")).value();
  second = first;
  second.nodes.insert(second.nodes.begin(), Node{.op = Op::constant, .type = kU32, .immediate = 4});
  for (Node& node : second.nodes) {
    for (std::uint8_t i = 0; i < node.count; ++i) ++node.arguments[i];
  }
  for (Block& block : second.blocks) {
    for (Id& id : block.nodes) ++id;
  }
  second.blocks[0].nodes.insert(second.blocks[0].nodes.begin(), 0);
  EXPECT_NE(hash(first), hash(second));
  compact(first);
  compact(second);
  EXPECT_EQ(hash(first), hash(second));
  EXPECT_EQ(hash(first), 14309115522582729419u) << "the hash that GCC and clang must both give";
}

TEST(IrPasses, TheOrderOfOperandsDoesNotMatter) {
  const auto canonical = [](std::string_view statements) {
    auto kernel = parse(body(statements)).value();
    EXPECT_TRUE(verify(kernel));
    compact(kernel);
    EXPECT_TRUE(verify(kernel));
    return print(kernel);
  };
  EXPECT_EQ(
      canonical(
          "  %0: u32 = constant 1\n  %1: u32 = load x[%0]\n  %2: u32 = load r[%0]\n  %3: u32 = add %1, %2\n"
          "  store x[%0], %3\n"),
      canonical(
          "  %0: u32 = constant 1\n  %2: u32 = load r[%0]\n  %1: u32 = load x[%0]\n  %3: u32 = add %1, %2\n"
          "  store x[%0], %3\n"));
}

TEST(IrPasses, AReadStaysBeforeTheWriteThatItStoodBefore) {
  auto kernel =
      parse(body("  %0: u32 = constant 1\n  %1: u32 = load x[%0]\n  store x[%0], %0\n  store s[%0], %1\n"))
          .value();
  compact(kernel);
  const std::string text = print(kernel);
  EXPECT_LT(text.find("load x"), text.find("store x")) << text;
}

TEST(IrPasses, ARangeWhoseBodyUsesItsCounterStaysOne) {
  auto kernel = parse(body("  %0: u32 = constant 1\n  %1: u32 = constant 9\n"
                           "  %2: u32 = range %0, %1, %0 {\n    store x[%2], %0\n  }\n"))
                    .value();
  compact(kernel);
  EXPECT_TRUE(verify(kernel));
  const std::string text = print(kernel);
  EXPECT_EQ(text.find("range"), text.rfind("range")) << text;
}

TEST(IrPasses, ABlockFindsWhatItUsesOfTheOneAround) {
  auto kernel = parse(body("  %0: u32 = local_id 0\n  %1: u32 = constant 3\n  %2: bool = lt %0, %1\n  %3: "
                           "u32 = load x[%1]\n"
                           "  if %2 {\n    if %2 {\n      store x[%0], %3\n    }\n  }\n  store x[%0], %1\n"))
                    .value();
  compact(kernel);
  EXPECT_TRUE(verify(kernel)) << print(kernel);
}

}  // namespace
}  // namespace collet::ir
