// The kernel language: what a C++ function is written down as.

#include <gtest/gtest.h>
#include <collet/collet.hpp>

#include <stdexcept>

#include "core/kernel_state.hpp"
#include "kernel/ir/text.hpp"

namespace collet {
namespace {

template <class... Args>
std::string text(const Kernel<Args...>& kernel) {
  const detail::TracedCode& traced = *kernel.state()->traced;
  return traced ? ir::print(*traced) : traced.error().message();
}

TEST(Trace, SaxpyIsWhatItLooksLike) {
  const auto saxpy = kernel("saxpy", [](In<float> x, InOut<float> y, Value<float> a) {
    const auto i = global_id();
    y[i] = a * x[i] + y[i];
  });
  EXPECT_EQ(text(saxpy), R"(kernel saxpy group(64, 1, 1) {
  buffer buffer0: f32 in
  buffer buffer1: f32 inout
  value value0: f32
  %0: u32 = global_id 0
  %1: f32 = parameter value0
  %2: f32 = load buffer0[%0]
  %3: f32 = mul %1, %2
  %4: f32 = load buffer1[%0]
  %5: f32 = add %3, %4
  store buffer1[%0], %5
}
)");
}

TEST(Trace, ControlFlowNests) {
  const auto k = kernel("k", [](In<std::uint32_t> x, Out<std::uint32_t> out) {
    Var<std::uint32_t> sum = 0u;
    for_(0u, x.size(), [&](Expr<std::uint32_t> i) {
      if_(x[i] == 7u, [] { continue_(); }).else_([&] { sum += x[i]; });
      while_([&] { return sum > 100u; }, [&] { sum -= 50u; });
    });
    out[global_id()] = sum;
  });
  const std::string printed = text(k);
  EXPECT_NE(printed.find("range"), std::string::npos) << printed;
  EXPECT_NE(printed.find("loop {"), std::string::npos);
  EXPECT_NE(printed.find("continue\n"), std::string::npos);
  EXPECT_NE(printed.find("} else {"), std::string::npos);
}

TEST(Trace, WhatFollowsAJumpIsDropped) {
  const auto k = kernel("k", [](Out<float> out) {
    return_();
    out[0u] = 1.0f;
  });
  EXPECT_EQ(text(k).find("store"), std::string::npos);
}

TEST(Trace, AVariableIsCopiedByValue) {
  const auto k = kernel("k", [](Out<int> out) {
    Var<int> a = 1;
    Var<int> b = a;
    a = 2;
    out[0u] = b;
    out[1u] = a;
  });
  const std::string printed = text(k);
  std::size_t variables = 0;
  for (std::size_t at = 0; (at = printed.find("= variable", at)) != std::string::npos; ++at) ++variables;
  EXPECT_EQ(variables, 2u) << printed;
}

TEST(Trace, MistakesHaveNames) {
  EXPECT_NE(text(kernel("k", [](In<float> x,
                                Out<float> y) { if_(x.size() > 3u && x[3u] > 1.0f, [&] { y[0u] = 1.0f; }); }))
                .find("The right side of && or || reads memory"),
            std::string::npos);
  EXPECT_NE(text(kernel("k", [](Out<float>) { break_(); })).find("break_() stands in no loop"),
            std::string::npos);
  EXPECT_NE(
      text(kernel("k", [](Out<std::uint32_t> y) { y[0u] = y.size() + 0.5; })).find("does not fit the type"),
      std::string::npos);
  EXPECT_NE(text(kernel("k",
                        [](Out<float> y) {
                          if_(local_id() == 0u, [] { barrier(); });
                          y[0u] = 1.0f;
                        }))
                .find("not all items of a group"),
            std::string::npos);
}

TEST(Trace, AValueOfAnotherKernelIsNamed) {
  std::vector<Expr<std::uint32_t>> kept;
  const auto first = kernel("first", [&](Out<std::uint32_t> y) {
    kept.push_back(global_id());
    y[kept[0]] = 1u;
  });
  const auto second = kernel("second", [&](Out<std::uint32_t> y) { y[kept[0]] = 1u; });
  EXPECT_NE(text(second).find("A value of another kernel"), std::string::npos);
}

TEST(Trace, AnExceptionUnwindsTheTracer) {
  EXPECT_THROW(kernel("k", [](Out<float>) { throw std::runtime_error("x"); }), std::runtime_error);
  EXPECT_NE(text(kernel("k", [](Out<float> y) { y[0u] = 1.0f; })).find("store"), std::string::npos);
}

TEST(Trace, RunawayRecursionIsNamed) {
  const auto k = kernel("k", [](Out<float> y) {
    Var<float> sum = 0.0f;
    for (int i = 0; i < 400'000; ++i) sum += 1.0f;
    y[0u] = sum;
  });
  EXPECT_NE(text(k).find("more than 1000000 nodes"), std::string::npos);
}

TEST(Trace, AtomicsAndBarriersOnSharedMemory) {
  const auto k = kernel("k", [](In<std::uint32_t> x, InOut<std::uint32_t> out) {
    const auto bins = shared<std::uint32_t>(16);
    const auto i = local_id();
    if_(i < 16u, [&] { bins[i] = 0u; });
    barrier();
    Var<std::uint32_t> before = atomic_add(bins, x[global_id()] % 16u, 1u);
    barrier();
    if_(i < 16u, [&] { (void)atomic_add(out, i, bins[i]); });
    out[16u + before] = 1u;
  });
  const std::string printed = text(k);
  EXPECT_NE(printed.find("atomic_add shared2["), std::string::npos) << printed;
  EXPECT_NE(printed.find("barrier"), std::string::npos);
}

}  // namespace
}  // namespace collet
