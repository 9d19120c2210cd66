// Workarounds for drivers' faults: each changes the kernels that need it, says so, and leaves ordinary ones
// alone.

#include "kernel/emit/workarounds.hpp"

#include <gtest/gtest.h>

#include "collet/collet.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/emit/stack.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::emit {
namespace {

ir::Kernel parsed(const std::string& body, const std::string& memories = "") {
  auto kernel = ir::parse("kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  value n: u32\n" + memories +
                          body + "}\n");
  EXPECT_TRUE(kernel) << (kernel ? "" : kernel.error().describe());
  EXPECT_TRUE(ir::verify(*kernel));
  return *std::move(kernel);
}

Emitted emitted(const ir::Kernel& kernel, Workarounds workarounds) {
  auto made = emit_opencl_c(kernel, {.int64 = true, .workarounds = workarounds});
  EXPECT_TRUE(made) << (made ? "" : made.error().describe());
  return *std::move(made);
}

void expect_changed(const ir::Kernel& kernel, Workaround one) {
  const Emitted plain = emitted(kernel, {});
  const Emitted changed = emitted(kernel, {one});
  EXPECT_EQ(plain.applied, Workarounds());
  EXPECT_EQ(changed.applied, Workarounds{one}) << changed.bytes;
  EXPECT_NE(plain.bytes, changed.bytes);
}

void expect_left_alone(const ir::Kernel& kernel, Workarounds all) {
  const Emitted plain = emitted(kernel, {});
  const Emitted changed = emitted(kernel, all);
  EXPECT_EQ(changed.applied, Workarounds()) << changed.bytes;
  EXPECT_EQ(plain.bytes, changed.bytes);
}

const std::string kLoopWithABranch =
    "  %0: u32 = global_id 0\n  %1: u32 = constant 0\n  %2: u32 = parameter n\n  %3: u32 = constant 1\n"
    "  barrier\n"
    "  %4: u32 = range %1, %2, %3 {\n    %5: bool = lt %0, %4\n    if %5 {\n      store x[%0], %4\n    }\n  "
    "}\n";

TEST(Workarounds, ALoopWithABranchBesideABarrierDependsOnTheItem) {
  expect_changed(parsed(kLoopWithABranch), Workaround::divergent_loops);
  const std::string text = emitted(parsed(kLoopWithABranch), {Workaround::divergent_loops}).bytes;
  EXPECT_NE(text.find("volatile uint"), std::string::npos) << text;
  EXPECT_NE(text.find("4294967295u"), std::string::npos) << text;
}

TEST(Workarounds, ALoopBeforeABarrierInALoopGetsOneInFront) {
  const ir::Kernel kernel = parsed(
      "  %0: u32 = global_id 0\n  %1: u32 = constant 0\n  %2: u32 = parameter n\n  %3: u32 = constant 1\n"
      "  %4: u32 = range %1, %2, %3 {\n    %5: u32 = range %1, %2, %3 {\n      store x[%0], %5\n    }\n"
      "    barrier\n  }\n");
  expect_changed(kernel, Workaround::barrier_before_loops);
}

TEST(Workarounds, ALoopWithABarrierGetsOneInFrontInNarrowGroupsOnly) {
  ir::Kernel kernel = parsed(
      "  %0: u32 = global_id 1\n  %1: u32 = constant 0\n  %2: u32 = parameter n\n  %3: u32 = constant 1\n"
      "  %4: u32 = atomic_add x[%1], %3\n"
      "  %5: u32 = range %1, %2, %3 {\n    barrier\n    store x[%0], %5\n  }\n");
  const Workarounds one{Workaround::narrow_groups};
  expect_left_alone(kernel, one);  // 64 wide
  kernel.group = {1, 1, 1};
  expect_left_alone(kernel, one);
  for (const auto& narrow : {std::array{1u, 16u, 1u}, std::array{1u, 1u, 16u}, std::array{1u, 4u, 4u}}) {
    kernel.group = narrow;
    expect_changed(kernel, Workaround::narrow_groups);
    const std::string text = emitted(kernel, one).bytes;
    const std::size_t first = text.find("barrier(");
    EXPECT_LT(text.find("atomic_add"), first) << text;
    EXPECT_LT(first, text.find("for (")) << text;
  }
}

TEST(Workarounds, ArraysThatDoNotFitOntoAStackAreRefusedWithFigures) {
  const auto kernel = parsed(
      "  %0: u32 = local_id 0\n  store a[%0], %0\n  %1: u32 = load a[%0]\n"
      "  store x[%0], %1\n",
      "  item a: u32 [64]\n");
  const auto emitted_on = [&](std::uint64_t bytes) {
    return emit_opencl_c(kernel, {.name = "Tiny",
                                  .stack = {.bytes = bytes, .quirk = "tiny-stack"},
                                  .workarounds = {Workaround::limit_stack}});
  };
  EXPECT_TRUE(emitted_on(64 * 256));
  const auto refused = emitted_on(64 * 256 - 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(
      refused.error().message(),
      "[Kernel \"k\"] keeps 256 bytes of each item in private arrays and across barriers, for the 64 items "
      "of a group 16384; Tiny keeps them on a thread's stack, where 16383 are sure to fit (quirk "
      "tiny-stack).");
  EXPECT_EQ(refused.error().hint(), "Use groups of at most 63 items, or make the arrays smaller.");
  EXPECT_EQ(emitted_on(255).error().hint(), "Make the arrays smaller.");
  EXPECT_TRUE(emit_opencl_c(kernel, {.stack = {.bytes = 255}})) << "no quirk asks for it";
}

TEST(Workarounds, WhatLivesAcrossABarrierIsKept) {
  const std::string before = "  %0: u32 = local_id 0\n  %1: u32 = load x[%0]\n  %2: u64 = convert %1\n";
  const std::string after = "  %4: u32 = convert %2\n  %5: u32 = add %4, %1\n  store x[%0], %5\n";
  EXPECT_EQ(kept_bytes(parsed(before + after)), 0u);
  EXPECT_EQ(kept_bytes(parsed(before + "  barrier\n" + after)), 4u + 8u) << "not what costs nothing to make";
  EXPECT_EQ(kept_bytes(parsed(before + after + "  barrier\n")), 0u);

  const std::string variable = "  %9: u32 = variable\n  set %9, %1\n";
  EXPECT_EQ(kept_bytes(parsed(before + variable + after)), 0u);
  EXPECT_EQ(kept_bytes(parsed(before + variable + after + "  barrier\n")), 4u);

  // Round after round, the load is used behind a barrier.
  const auto looped = [&](const std::string& barrier) {
    return before + "  %6: u32 = parameter n\n  loop {\n    store x[%1], %0\n" + barrier +
           "    %7: bool = lt %6, %6\n    if %7 {\n      break\n    }\n  }\n";
  };
  EXPECT_EQ(kept_bytes(parsed(looped(""))), 0u);
  EXPECT_EQ(kept_bytes(parsed(looped("    barrier\n"))), 4u);
}

TEST(Workarounds, BesideBarriersFunctionsStandInThePlaceOfTheirCalls) {
  const auto calling = [](const std::string& between) {
    return parsed("  %0: u32 = global_id 0\n" + between + "  pass %0\n  call f\n  %1: u32 = result 0\n" +
                      "  store x[%0], %1\n",
                  "  function f(u32) -> (u32) {\n    %0: u32 = argument 0\n    %1: u32 = mul %0, %0\n"
                  "    give %1\n  }\n");
  };
  expect_changed(calling("  barrier\n"), Workaround::inline_functions);
  expect_left_alone(calling(""), {Workaround::inline_functions});
}

// In a branch that is not taken, the driver would load from a place that it finds to be constant.
TEST(Workarounds, NoPlaceOfALoadCanBeFoundToBeConstant) {
  const auto guarded = [](const std::string& index, const std::string& access) {
    return parsed(
        "  %0: u32 = constant 4\n  %1: u32 = constant 1\n  %6: u32 = parameter n\n"
        "  %7: u32 = variable\n  set %7, %0\n  %2: u32 = " +
            index + "\n  %3: u32 = length x\n  %4: bool = lt %2, %3\n  if %4 {\n" + access + "  }\n",
        "  item own: u32 [4]\n");
  };
  const Workarounds one{Workaround::constant_loads};
  const std::string load = "    %5: u32 = load x[%2]\n    store x[%2], %5\n";
  const std::string part = "    %5: u16 = convert %0\n    store x[%2], %5\n";
  for (const std::string& access : {load, part}) {
    expect_changed(guarded("constant 9", access), Workaround::constant_loads);
    expect_changed(guarded("add %0, %1", access), Workaround::constant_loads);
    expect_changed(guarded("bit_and %0, %6", access), Workaround::constant_loads);
    expect_changed(guarded("get %7", access), Workaround::constant_loads);
    expect_left_alone(guarded("constant 0", access), one);
    expect_left_alone(guarded("global_id 0", access), one);
    expect_left_alone(guarded("add %6, %0", access), one);
  }
  expect_changed(guarded("constant 9", "    %5: u32 = atomic_load x[%2]\n    store x[%2], %5\n"),
                 Workaround::constant_loads);
  expect_left_alone(guarded("constant 9", "    store x[%2], %0\n"), one);
  const std::string own = "    %5: u32 = load own[%2]\n    store x[%2], %5\n";
  expect_left_alone(guarded("constant 3", own), one);
}

TEST(Workarounds, ZerosAreHiddenAlsoWhereAFloatIsMadeOfIntegers) {
  const std::string product =
      "  %9: f32 = bitcast %2\n  %10: f32 = mul %9, %9\n  %11: u32 = bitcast %10\n"
      "  store x[%0], %11\n";
  const auto product_of = [&](const std::string& word) {
    return parsed("  %0: u32 = global_id 0\n  %1: u32 = constant 1\n" + word + product,
                  "  item own: u32 [4]\n");
  };
  for (const char* const word :
       {"  %2: u32 = load own[%1]\n", "  %2: u32 = sub %0, %0\n", "  %2: u32 = constant 0\n",
        "  %2: u32 = constant 2147483648\n", "  %4: u32 = variable\n  %2: u32 = get %4\n"}) {
    expect_changed(product_of(word), Workaround::hide_zeros);
  }
  for (const char* const word :
       {"  %2: u32 = load x[%0]\n", "  %2: u32 = parameter n\n", "  %2: u32 = constant 1065353216\n"}) {
    expect_left_alone(product_of(word), {Workaround::hide_zeros});
  }
}

// Each value is a choice between two that are made of the same two: 2^64 ways lead to the first.
TEST(Workarounds, ChoicesThatShareChoicesAreLookedAtOnce) {
  std::string text =
      "  %0: u32 = global_id 0\n  %1: u32 = parameter n\n  %2: bool = lt %0, %1\n  %3: u32 = mul %0, %0\n"
      "  %4: u32 = add %0, %0\n";
  int last = 4;
  for (int i = 0; i < 64; ++i, last += 2) {
    const auto value = [&](int more) { return "%" + std::to_string(last + more); };
    text += value(1) + ": u32 = select %2, " + value(0) + ", " + value(-1) + "\n" + value(2) +
            ": u32 = select %2, " + value(-1) + ", " + value(0) + "\n";
  }
  const auto value = [&](int more) { return "%" + std::to_string(last + more); };
  text += value(1) + ": f32 = bitcast " + value(0) + "\n" + value(2) + ": f32 = mul " + value(1) + ", " +
          value(1) + "\n" + value(3) + ": u32 = bitcast " + value(2) + "\n  store x[%0], " + value(3) + "\n";
  expect_changed(parsed(text), Workaround::hide_zeros);
}

TEST(Workarounds, OrdinaryKernelsAreLeftAlone) {
  const Workarounds all{Workaround::flat_barriers, Workaround::divergent_loops,
                        Workaround::barrier_before_loops, Workaround::narrow_groups, Workaround::plain_build};
  // A sum over tiles: a loop without branches between two barriers of a loop.
  const ir::Kernel tiled = parsed(
      "  %0: u32 = local_id 0\n  %1: u32 = constant 0\n  %2: u32 = parameter n\n  %3: u32 = constant 1\n"
      "  %4: u32 = constant 64\n  %5: u32 = variable\n"
      "  store tile[%0], %0\n  barrier\n"
      "  %6: u32 = range %1, %4, %3 {\n    %7: u32 = load tile[%6]\n    %8: u32 = get %5\n"
      "    %9: u32 = add %7, %8\n    set %5, %9\n  }\n"
      "  barrier\n  %10: u32 = get %5\n  store x[%0], %10\n",
      "  workgroup tile: u32 [64]\n");
  expect_left_alone(tiled, all);
  // The loop with a branch, without a barrier.
  std::string without = kLoopWithABranch;
  without.erase(without.find("  barrier\n"), 10);
  expect_left_alone(parsed(without), all);
}

TEST(Workarounds, WhatUpsetsAVectoriserIsKnown) {
  const auto stepped = [](const std::string& begin, const std::string& step, const std::string& barrier) {
    return upsets_vectoriser(parsed("  %0: u32 = constant " + begin +
                                    "\n  %1: u32 = constant 9\n  %2: u32 = constant " + step + "\n" +
                                    barrier + "  %3: u32 = range %0, %1, %2 {\n    store x[%3], %3\n  }\n"));
  };
  EXPECT_TRUE(stepped("0", "2", "  barrier\n"));
  EXPECT_TRUE(stepped("10", "1", "  barrier\n"));
  EXPECT_FALSE(stepped("0", "1", "  barrier\n"));
  EXPECT_FALSE(stepped("8", "1", "  barrier\n"));
  EXPECT_TRUE(stepped("9", "1", "  barrier\n"));
  EXPECT_FALSE(stepped("0", "2", ""));
  const auto is_signed = [](const std::string& begin, const std::string& end) {
    return upsets_vectoriser(parsed("  %0: i32 = constant " + begin + "\n  %1: i32 = constant " + end +
                                    "\n  %2: i32 = constant 1\n  barrier\n  %3: i32 = range %0, %1, %2 {\n" +
                                    "    %4: u32 = bitcast %3\n    store x[%4], %4\n  }\n"));
  };
  EXPECT_FALSE(is_signed("-3", "2"));
  EXPECT_FALSE(is_signed("-3", "-2"));
  EXPECT_TRUE(is_signed("-3", "-3"));
  EXPECT_TRUE(is_signed("2", "-3"));
  const auto copies = [](const std::string& type, bool other) {
    return upsets_vectoriser(parsed(
        "  %0: u32 = constant 0\n  %1: u32 = parameter n\n  %2: u32 = constant 1\n  %3: " + type +
        " = variable\n  %4: " + type + " = variable\n" + "  %5: u32 = range %0, %1, %2 {\n    %6: " + type +
        " = get %" + (other ? "4" : "3") + "\n    set %3, %6\n  }\n  store x[%0], %0\n"));
  };
  EXPECT_TRUE(copies("u64", true));
  EXPECT_FALSE(copies("u64", false));
  EXPECT_FALSE(copies("u32", true));
}

TEST(Workarounds, BytesOfAnItemsOwnArrayBecomeWords) {
  const ir::Kernel kernel = parsed(
      "  %0: u32 = global_id 0\n  %1: u32 = parameter n\n  %2: u8 = constant 7\n  store own[%1], %2\n"
      "  %3: u8 = load own[%0]\n  %4: u32 = convert %3\n  store x[%0], %4\n",
      "  item own: u8 [64]\n");
  expect_changed(kernel, Workaround::wide_private_arrays);
}

}  // namespace
}  // namespace collet::emit
