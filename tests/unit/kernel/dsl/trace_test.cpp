// The kernel language: what a C++ function is written down as.

#include <gtest/gtest.h>

#include <collet/collet.hpp>

#include <optional>
#include <source_location>
#include <stdexcept>
#include <thread>

#include "core/kernel_state.hpp"
#include "kernel/ir/text.hpp"

namespace collet {
namespace {

template <class... Args>
std::string text(const Kernel<Args...>& kernel) {
  const detail::TracedCode& traced = *kernel.state()->traced;
  return traced ? ir::print(*traced) : traced.error().message();
}

TEST(Trace, VariablesAndTheirComponentsHaveTheSameCompoundOperators) {
  const auto changed = [](const auto& change) {
    return text(kernel("k", [&](InOut<std::uint32_t> x, Value<std::uint32_t> by) {
      Var<std::uint32_t> one = by;
      Var<uint2> two = compose(by, by);
      change(one, by);
      change(two.y, by);
      x[1u] = one + two.y;
    }));
  };
  const auto compound = [](auto& v, const auto& by) {
    v += by, v -= 1u, v *= by, v /= by, v %= by, v &= by, v |= 1u, v ^= by, v <<= by, v >>= 1u;
  };
  const auto plain = [](auto& v, const auto& by) {
    v = v + by, v = v - 1u, v = v * by, v = v / by, v = v % by;
    v = v & by, v = v | 1u, v = v ^ by, v = v << by, v = v >> 1u;
  };
  EXPECT_EQ(changed(compound), changed(plain));
}

TEST(Trace, ElementsHaveTheCompoundOperatorsOfVariables) {
  const std::string made = text(kernel("k", [](InOut<std::uint32_t> x, Value<std::uint32_t> by) {
    x[0u] += by, x[0u] -= 1u, x[0u] *= by, x[0u] /= by, x[0u] %= by;
    x[0u] &= by, x[0u] |= 1u, x[0u] ^= by, x[0u] <<= by, x[0u] >>= 1u;
  }));
  std::size_t at = 0;
  for (const char* op : {" add ", " sub ", " mul ", " div ", " rem ", " bit_and ", " bit_or ", " bit_xor ",
                         " shl ", " shr "}) {
    at = made.find(op, at);
    ASSERT_NE(at, std::string::npos) << op << "\n" << made;
    at = made.find("store buffer0", at);
    ASSERT_NE(at, std::string::npos) << op << "\n" << made;
  }
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
  EXPECT_NE(text(kernel("k", [](Out<float>) { break_(); })).find("break_() is called outside a loop"),
            std::string::npos);
  EXPECT_NE(text(kernel("k", [](Out<std::uint32_t> y) { y[0u] = y.size() + 0.5; }))
                .find("The constant 0.500000 does not fit the type of the value that it is used with, u32;"),
            std::string::npos);
  EXPECT_NE(text(kernel("k",
                        [](Out<float> y) {
                          if_(local_id() == 0u, [] { barrier(); });
                          y[0u] = 1.0f;
                        }))
                .find("not all items of a group"),
            std::string::npos);
}

TEST(Trace, TheRightSideOfAndMayUseWhatWasReadBefore) {
  const auto said = [](const auto& body) {
    return text(kernel("k", [&](In<std::uint32_t> x, Out<std::uint32_t> y) { body(x, y); }));
  };
  const std::string_view refusal = "The right side of && or || reads memory";
  const auto before = said([](auto x, auto y) {
    const auto alive = x[0u];
    if_(x.size() == 2u && alive == 1u, [&] { y[0u] = 1u; });
    if_(x[1u] == 2u || alive == 1u, [&] { y[1u] = 1u; });
  });
  EXPECT_EQ(before.find(refusal), std::string::npos) << before;
  const auto itself =
      said([](auto x, auto y) { if_(y.size() == 2u && x[0u] + 1u == 1u, [&] { y[0u] = 1u; }); });
  EXPECT_NE(itself.find(refusal), std::string::npos) << itself;
  // A variable is read when the operator is reached, after its right side was.
  const auto variable = said([](auto x, auto y) {
    Var<bool> inside = y.size() == 2u;
    if_(inside && x[0u] == 1u, [&] { y[0u] = 1u; });
  });
  EXPECT_NE(variable.find(refusal), std::string::npos) << variable;
}

TEST(Trace, AnIndexOfU32CostsNothing) {
  const auto indexed = [](auto type) {
    using T = decltype(type);
    return text(kernel("k", [](Out<float> y, Value<T> i) { y[i] = 1.0f; }));
  };
  EXPECT_EQ(indexed(std::uint32_t{}).find("convert"), std::string::npos);
  EXPECT_NE(indexed(std::int16_t{}).find("convert"), std::string::npos);
  EXPECT_EQ(indexed(std::int16_t{}).find("select"), std::string::npos);
  EXPECT_NE(indexed(std::int64_t{}).find("select"), std::string::npos);
}

TEST(Trace, AnErrorNamesItsPlaceInTheProgram) {
  const std::uint32_t line = std::source_location::current().line();
  const auto wrong = kernel("k", [](InOut<std::uint8_t> x) {
    x[0u] = 1;
    if_(x[1u] == 2, [&] { x[2u] = 300; });
    x[3u] = 400;
  });
  const auto emitted = wrong.emit(Format::ir);
  ASSERT_FALSE(emitted);
  EXPECT_EQ(emitted.error().context().front(), std::string("tracing [Kernel \"k\"] at or after ") +
                                                   std::source_location::current().file_name() + ":" +
                                                   std::to_string(line + 3))
      << emitted.error().describe();
}

TEST(Trace, CountingUpAndDownIsAddingOne) {
  const auto counted = [](const auto& change) {
    return text(kernel("k", [&](InOut<std::uint32_t> x) {
      Var<std::uint32_t> one = x[0u];
      Var<uint2> two = compose(0u, x[1u]);
      change(one);
      change(two.y);
      x[2u] = one + two.y;
    }));
  };
  EXPECT_EQ(counted([](auto& v) { ++v, --v; }), counted([](auto& v) { v = v + 1u, v = v - 1u; }));
  EXPECT_EQ(text(kernel("k",
                        [](InOut<int> x) {
                          Var<int> v = x[0u];
                          const auto up = v++;
                          const auto down = v--;
                          x[1u] = up - down;
                        })),
            text(kernel("k", [](InOut<int> x) {
              Var<int> v = x[0u];
              const Expr<int> up = v;
              v = up + 1;
              const Expr<int> down = v;
              v = down - 1;
              x[1u] = up - down;
            })));
  EXPECT_EQ(text(kernel("k", [](InOut<int> x) { ++x[1u]; })),
            text(kernel("k", [](InOut<int> x) { x[1u] += 1; })));
}

TEST(Trace, AComponentThatAVectorDoesNotHaveIsNamed) {
  EXPECT_NE(text(kernel("k", [](Out<float> y, Value<float2> v) { y[0u] = v[2]; }))
                .find("A vector of 2 components has none of the number 2."),
            std::string::npos);
}

TEST(Trace, MistakesInASwitchHaveNames) {
  const auto said = [](const auto& body) {
    return text(kernel("k", [&](Out<std::uint32_t> y) { body(y, y.size()); }));
  };
  EXPECT_NE(said([](auto y, auto n) {
              switch_(n, case_(1u, [&] { y[0u] = 1u; }), case_({2u, 1u}, [&] { y[0u] = 2u; }));
            }).find("A label of a switch_() stands there twice: 1"),
            std::string::npos);
  EXPECT_NE(
      said([](auto y, auto n) { switch_(n, case_(-1, [&] { y[0u] = 1u; })); }).find("does not fit the type"),
      std::string::npos);
  EXPECT_NE(said([](auto y, auto n) {
              switch_(n, case_(std::initializer_list<std::uint32_t>{}, [&] { y[0u] = 1u; }));
            }).find("A case_() has no label"),
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

constexpr std::string_view kStray = "is used where it is not traced";

TEST(Trace, MemoryOfAnotherKernelIsNamed) {
  InOut<float> buffer;
  In<float> input;
  Out<float> output;
  Value<float> value;
  std::optional<Shared<float>> group;
  std::optional<Array<float>> item;
  const auto first =
      kernel("first", [&](InOut<float> x, In<float> y, Out<float> z, Value<float> a, InOut<int> n) {
        buffer = x;
        input = y;
        output = z;
        value = a;
        group = shared<float>(4);
        item = array<float>(4);
        x[0u] = y[0u] + a;
        n[0u] = 1;
      });
  EXPECT_EQ(text(first).find("another kernel"), std::string::npos) << text(first);
  const auto said = [](auto&& body) {
    return text(kernel("second", [&](InOut<float> x, In<float>, Out<float>, Value<float>) {
      shared<float>(4);
      array<float>(4);
      body(x);
    }));
  };
  const std::string_view named = "Memory or a parameter of another kernel";
  EXPECT_NE(said([&](auto) { buffer[0u] = 1.0f; }).find(named), std::string::npos);
  EXPECT_NE(said([&](auto x) { x[0u] = buffer[0u]; }).find(named), std::string::npos);
  EXPECT_NE(said([&](auto x) { x[0u] = input[0u]; }).find(named), std::string::npos);
  EXPECT_NE(said([&](auto) { output[0u] = 1.0f; }).find(named), std::string::npos);
  EXPECT_NE(said([&](auto x) { x[buffer.size()] = 1.0f; }).find(named), std::string::npos);
  EXPECT_NE(said([&](auto x) { x[0u] = value; }).find(named), std::string::npos);
  EXPECT_NE(said([&](auto) { (*group)[0u] = 1.0f; }).find(named), std::string::npos);
  EXPECT_NE(said([&](auto) { (*item)[0u] = 1.0f; }).find(named), std::string::npos);
}

TEST(Trace, AnAtomicOnMemoryOfAnotherKernelIsNamed) {
  InOut<std::uint32_t> kept;
  const auto first = kernel("first", [&](InOut<std::uint32_t> x) { kept = x; });
  const auto second = kernel("second", [&](InOut<std::uint32_t> x) {
    Var<std::uint32_t> found = atomic_add(kept, 0u, 1u);
    x[1u] = found;
  });
  EXPECT_NE(text(second).find("Memory or a parameter of another kernel"), std::string::npos);
}

TEST(Trace, AKernelInsideAnotherIsOneOfItsOwn) {
  std::string inside;
  const auto outer = kernel("outer", [&](Out<float> y) {
    y[0u] = 1.0f;
    inside = text(kernel("inner", [](Out<float> z) { z[5u] = 2.0f; }));
    y[1u] = 3.0f;
  });
  const auto stores = [](const std::string& printed) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = printed.find("store", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(stores(inside), 1u) << inside;
  EXPECT_EQ(stores(text(outer)), 2u) << text(outer);
}

TEST(Trace, AKernelInsideAnotherMayNotUseItsMemory) {
  std::string inside;
  const auto outer = kernel("outer", [&](Out<float> y) {
    inside = text(kernel("inner", [&](Out<float>) { y[0u] = 2.0f; }));
    y[1u] = 3.0f;
  });
  EXPECT_NE(inside.find("Memory or a parameter of another kernel"), std::string::npos) << inside;
  EXPECT_NE(text(outer).find(kStray), std::string::npos) << text(outer);
}

TEST(Trace, AnExceptionInsideAnInnerKernelLeavesTheOuterOneAsItIs) {
  const auto outer = kernel("outer", [&](Out<float> y) {
    try {
      (void)kernel("inner", [](Out<float>) { throw std::runtime_error("x"); });
    } catch (const std::runtime_error&) {
    }
    y[1u] = 3.0f;
  });
  EXPECT_NE(text(outer).find("store"), std::string::npos) << text(outer);
}

TEST(Trace, WhatAnotherThreadAddsIsAnError) {
  const auto on_a_thread = [](auto&& body) {
    return text(kernel("k", [&](InOut<float> y) {
      y[0u] = 1.0f;
      std::thread([&] { body(y); }).join();
    }));
  };
  EXPECT_EQ(on_a_thread([](auto) {}).find(kStray), std::string::npos);
  EXPECT_NE(on_a_thread([](auto y) { y[1u] = 2.0f; }).find(kStray), std::string::npos);
  EXPECT_NE(on_a_thread([](auto) { barrier(); }).find(kStray), std::string::npos);
  EXPECT_NE(on_a_thread([](auto) { return_(); }).find(kStray), std::string::npos);
  EXPECT_NE(on_a_thread([](auto y) { if_(y.size() > 1u, [] {}); }).find(kStray), std::string::npos);
  // Also what has no effect by itself: the kernel may have been meant to use it.
  EXPECT_NE(text(kernel("k",
                        [](Out<float> y) {
                          const auto i = global_id();
                          std::thread([&] { (void)(i + 1u); }).join();
                          y[i] = 1.0f;
                        }))
                .find(kStray),
            std::string::npos);
  // Another kernel is traced there, and gets the error, too.
  std::string other;
  EXPECT_NE(on_a_thread([&](auto y) {
              other = text(kernel("other", [&](Out<float>) { y[0u] = 1.0f; }));
            }).find(kStray),
            std::string::npos);
  EXPECT_NE(other.find("another kernel"), std::string::npos);
}

TEST(Trace, AnExceptionCaughtOutsideItsBlockIsAnError) {
  const auto caught = [](auto&& body) {
    return text(kernel("k", [&](Out<float> y, In<float> x) {
      try {
        body(x[0u] > 1.0f);
      } catch (const std::runtime_error&) {
      }
      y[0u] = 1.0f;
    }));
  };
  const auto thrower = [](auto&&...) { throw std::runtime_error("x"); };
  const std::string_view named = "An exception left an if_(), for_() or while_()";
  EXPECT_NE(caught([&](const Expr<bool>& c) { if_(c, thrower); }).find(named), std::string::npos);
  EXPECT_NE(caught([&](const Expr<bool>& c) { if_(c, [] {}).else_(thrower); }).find(named),
            std::string::npos);
  EXPECT_NE(caught([&](auto) { for_(0u, 4u, thrower); }).find(named), std::string::npos);
  EXPECT_NE(caught([&](const Expr<bool>& c) { while_([&] { return c; }, thrower); }).find(named),
            std::string::npos);
  // One that no block sees cuts nothing off.
  EXPECT_NE(caught([&](auto) { throw std::runtime_error("x"); }).find("store"), std::string::npos);
}

TEST(Trace, ABranchStandsWhereItIsWritten) {
  const auto k = kernel("k", [](Out<float> y, In<float> x) {
    const auto kept = if_(x[0u] > 1.0f, [&] { y[0u] = 1.0f; });
    y[0u] = 2.0f;
  });
  const std::string printed = text(k);
  const std::size_t branch = printed.find("  if ");
  const std::size_t last = printed.rfind("store");
  ASSERT_NE(branch, std::string::npos) << printed;
  EXPECT_LT(printed.find("  }\n", branch), last) << printed;
}

TEST(Trace, AnElseFollowsItsIfAtOnce) {
  const auto said = [](auto&& between, int times) {
    return text(kernel("k", [&](Out<float> y, In<float> x) {
      auto kept = if_(x[0u] > 1.0f, [&] { y[0u] = 1.0f; });
      between(y);
      for (int i = 0; i < times; ++i) std::move(kept).else_([&] { y[0u] = 2.0f; });
    }));
  };
  EXPECT_NE(said([](auto) {}, 1).find("} else {"), std::string::npos);
  EXPECT_NE(said([](auto y) { y[0u] = 3.0f; }, 1).find("else_() does not follow its if_()"),
            std::string::npos);
  EXPECT_NE(said([](auto) {}, 2).find("else_() does not follow its if_()"), std::string::npos);
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
