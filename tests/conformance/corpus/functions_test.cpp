// Corpus: functions that stay functions.

#include "conformance/corpus/corpus.hpp"

namespace conformance {

CONFORMANCE_TEST(Corpus, FunctionsOfScalarsAndVectors) {
  const auto collatz = function("collatz", [](Expr<uint32_t> start) {
    Var<uint32_t> n = start;
    Var<uint32_t> steps = 0u;
    while_([&] { return n > 1u; },
           [&] {
             if_(n % 2u == 0u, [&] { n = n / 2u; }).else_([&] { n = n * 3u + 1u; });
             steps += 1u;
           });
    return steps;
  });
  const auto turned = function("turned", [](Expr<float3> v, Expr<bool> back) {
    return select(back, swizzle<"zxy">(v), swizzle<"yzx">(v));
  });
  const auto both =
      function("both", [&](Expr<uint32_t> a, Expr<uint32_t> b) { return collatz(a) * 1000u + collatz(b); });
  const auto all = kernel("all", [&](In<uint32_t> x, Out<uint32_t> y, Out<float3> z) {
    const auto i = global_id();
    y[i] = both(x[i], x[i] + 1u) + collatz(7u);
    const auto v = compose(cast<float>(i), 1.0f, 2.0f);
    z[i] = turned(v, i % 2u == 0u) + turned(turned(v, false), true);
  });
  Words x(500);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint32_t>(i + 1);
  const auto y = device.buffer<uint32_t>(x.size()).value();
  const auto z = device.buffer<float3>(x.size()).value();
  if (!ran(device, all, x.size(), device.upload(x).value(), y, z)) return;
  const auto steps = [](uint32_t n) {
    uint32_t count = 0;
    for (; n > 1; ++count) n = n % 2 == 0 ? n / 2 : n * 3 + 1;
    return count;
  };
  expect_each(device, y, [&](std::size_t i) { return steps(x[i]) * 1000 + steps(x[i] + 1) + 16; });
  expect_each(device, z, [&](std::size_t i) {
    const auto f = static_cast<float>(i);
    return i % 2 == 0 ? float3{2 + f, f + 1, 1 + 2} : float3{1 + f, 2 + 1, f + 2};
  });
}

CONFORMANCE_TEST(Corpus, FunctionsOfSmallNumbers) {
  const auto mixed = function("mixed", [](Expr<half> h, Expr<std::uint8_t> a, Expr<std::int16_t> b) {
    return cast<half>(cast<float>(h) + cast<float>(a) - cast<float>(b));
  });
  const auto wrapped = function("wrapped", [](Expr<std::uint8_t> a) { return a + std::uint8_t{200}; });
  const auto all = kernel("all", [&](In<std::uint8_t> x, Out<half> y, Out<std::uint8_t> z) {
    const auto i = global_id();
    y[i] = mixed(half(0.5f), x[i], cast<std::int16_t>(i));
    z[i] = wrapped(x[i]);
  });
  std::vector<std::uint8_t> x(256);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint8_t>(i * 3);
  const auto y = device.buffer<half>(x.size()).value();
  const auto z = device.buffer<std::uint8_t>(x.size()).value();
  if (!ran(device, all, x.size(), device.upload(x).value(), y, z)) return;
  const auto halves = read(device, y);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(halves[i].bits(), half(0.5f + static_cast<float>(x[i]) - static_cast<float>(i)).bits()) << i;
  expect_each(device, z, [&](std::size_t i) { return static_cast<std::uint8_t>(x[i] + 200); });
}

CONFORMANCE_TEST(Corpus, WhatAFunctionCannotDoIsNamed) {
  const auto refusal = [&](const auto& kernel) {
    const auto compiled = device.compile(kernel);
    return compiled ? std::string("accepted") : compiled.error().message();
  };
  const auto place = function("place", [](Expr<uint32_t> x) { return x + global_id(); });
  EXPECT_NE(refusal(kernel("k", [&](Out<uint32_t> y) { y[0u] = place(1u); }))
                .find("a function computes with its arguments only"),
            std::string::npos);
  EXPECT_NE(refusal(kernel("k",
                           [&](InOut<uint32_t> y) {
                             const auto inner =
                                 function("inner", [&](Expr<uint32_t> x) { return x + y[0u]; });
                             y[0u] = inner(1u);
                           }))
                .find("where it is not traced"),
            std::string::npos);
  Function<uint32_t, uint32_t> itself;
  itself = function("itself", [&](Expr<uint32_t> x) { return itself(x); });
  EXPECT_NE(refusal(kernel("k", [&](Out<uint32_t> y) { y[0u] = itself(1u); })).find("calls itself"),
            std::string::npos);
}

}  // namespace conformance
