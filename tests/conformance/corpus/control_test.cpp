// Corpus: control flow, ids in one to three dimensions, ragged grids, captured constants, plain functions.

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

uint32_t collatz_steps(uint32_t n) {
  uint32_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

}  // namespace

CONFORMANCE_TEST(Corpus, NestedLoops) {
  const auto nested = kernel("nested", [](Out<uint32_t> out) {
    const auto i = global_id();
    Var<uint32_t> sum = 0u;
    for_(0u, i % 7u, [&](const auto& a) {
      for_(a, i % 11u,
           [&](const auto& b) { for_(0u, b, 2u, [&](const auto& c) { sum += a * 100u + b * 10u + c; }); });
    });
    out[i] = sum;
  });
  const auto out = device.buffer<uint32_t>(300).value();
  if (!ran(device, nested, 300, out)) return;
  expect_each(device, out, [](std::size_t i) {
    uint32_t sum = 0;
    for (uint32_t a = 0; a < i % 7; ++a)
      for (uint32_t b = a; b < i % 11; ++b)
        for (uint32_t c = 0; c < b; c += 2) sum += a * 100 + b * 10 + c;
    return sum;
  });
}

CONFORMANCE_TEST(Corpus, BreakOutOfTheInnerLoopOnly) {
  const auto broken = kernel("broken", [](Out<uint32_t> out) {
    const auto i = global_id();
    Var<uint32_t> count = 0u;
    for_(0u, 10u, [&](const auto& a) {
      for_(0u, 10u, [&](const auto& b) {
        if_(a * b > i % 50u, [] { break_(); });
        count += 1u;
      });
      if_(count > 60u, [] { break_(); });
    });
    out[i] = count;
  });
  const auto out = device.buffer<uint32_t>(200).value();
  if (!ran(device, broken, 200, out)) return;
  expect_each(device, out, [](std::size_t i) {
    uint32_t count = 0;
    for (uint32_t a = 0; a < 10 && count <= 60; ++a)
      for (uint32_t b = 0; b < 10 && a * b <= i % 50; ++b) ++count;
    return count;
  });
}

CONFORMANCE_TEST(Corpus, ContinueWithTheNextRound) {
  const auto skipping = kernel("skipping", [](Out<uint32_t> out) {
    const auto i = global_id();
    Var<uint32_t> sum = 0u;
    for_(0u, 40u, [&](const auto& k) {
      if_(k % 3u == i % 3u, [] { continue_(); });
      if_(k % 5u == 0u, [&] {
        sum += 1000u;
        continue_();
      });
      sum += k;
    });
    out[i] = sum;
  });
  const auto out = device.buffer<uint32_t>(130).value();
  if (!ran(device, skipping, 130, out)) return;
  expect_each(device, out, [](std::size_t i) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 40; ++k) {
      if (k % 3 == i % 3) continue;
      sum += k % 5 == 0 ? 1000 : k;
    }
    return sum;
  });
}

CONFORMANCE_TEST(Corpus, ReturnFromWithinALoop) {
  const auto search = kernel("search", [](In<uint32_t> x, InOut<uint32_t> found) {
    const auto i = global_id();
    found[i] = 999u;
    for_(0u, x.size(), [&](const auto& k) {
      if_(x[k] == i, [&] {
        found[i] = k;
        return_();
      });
    });
    found[i] = 1000u + i;
  });
  Words x(50);
  for (uint32_t k = 0; k < 50; ++k) x[k] = k * 3 % 101;
  const auto found = device.buffer<uint32_t>(120).value();
  if (!ran(device, search, 120, device.upload(x).value(), found)) return;
  expect_each(device, found, [&](std::size_t i) {
    const auto at = std::find(x.begin(), x.end(), i) - x.begin();
    return at < 50 ? static_cast<uint32_t>(at) : 1000 + static_cast<uint32_t>(i);
  });
}

CONFORMANCE_TEST(Corpus, WhileLoopsOfDifferentLengths) {
  const auto collatz = kernel("collatz", [](Out<uint32_t> steps) {
    const auto i = global_id();
    Var<uint32_t> n = i + 1u;
    Var<uint32_t> count = 0u;
    while_([&] { return n != 1u; },
           [&] {
             if_(n % 2u == 0u, [&] { n /= 2u; }).else_([&] { n = n * 3u + 1u; });
             count += 1u;
           });
    steps[i] = count;
  });
  const auto steps = device.buffer<uint32_t>(1000).value();
  if (!ran(device, collatz, 1000, steps)) return;
  expect_each(device, steps, [](std::size_t i) { return collatz_steps(static_cast<uint32_t>(i) + 1); });
}

CONFORMANCE_TEST(Corpus, ChainsOfElse) {
  const auto classify = kernel("classify", [](In<int32_t> x, Out<int32_t> y) {
    const auto i = global_id();
    const Expr<int32_t> v = x[i];
    Var<int32_t> kind = 0;
    if_(v < -1000, [&] { kind = -2; }).else_([&] {
      if_(v < 0, [&] { kind = -1; }).else_([&] {
        if_(v == 0, [&] { kind = 7; }).else_([&] {
          kind = select(v > 1000, Expr<int32_t>(2), Expr<int32_t>(1));
        });
      });
    });
    y[i] = kind;
  });
  std::vector<int32_t> x(300);
  for (int32_t i = 0; i < 300; ++i) x[static_cast<std::size_t>(i)] = (i - 150) * 17;
  const auto y = device.buffer<int32_t>(300).value();
  if (!ran(device, classify, 300, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    return x[i] < -1000 ? -2 : x[i] < 0 ? -1 : x[i] == 0 ? 7 : x[i] > 1000 ? 2 : 1;
  });
}

CONFORMANCE_TEST(Corpus, SignedCountersAndSteps) {
  const auto counted = kernel("counted", [](Out<int32_t> out) {
    const auto i = cast<int32_t>(global_id());
    Var<int32_t> sum = 0;
    for_(-i, i, 3, [&](const auto& k) { sum += k * k - 7; });
    for_(2'147'483'640, 2'147'483'647, Expr<int32_t>(5),
         [&](const auto& k) { sum += k % 10; });  // must not wrap
    for_(i, -i, [&](const auto&) { sum = -1; });  // runs nothing
    out[global_id()] = sum;
  });
  const auto out = device.buffer<int32_t>(100).value();
  if (!ran(device, counted, 100, out)) return;
  expect_each(device, out, [](std::size_t at) {
    const auto i = static_cast<int32_t>(at);
    int32_t sum = 0;
    for (int32_t k = -i; k < i; k += 3) sum += k * k - 7;
    return sum + 0 + 5;  // …640 % 10 and …645 % 10
  });
}

CONFORMANCE_TEST(Corpus, CountersOf64Bits) {
  const auto counted = kernel("counted", [](Out<uint64_t> out, Value<uint64_t> first) {
    const auto i = global_id();
    Var<uint64_t> sum = uint64_t{0};
    for_(first, first + cast<uint64_t>(i), [&](const auto& k) { sum += k; });
    out[i] = sum;
  });
  const uint64_t first = 0xffff'fff0u;
  const auto out = device.buffer<uint64_t>(100).value();
  if (!ran(device, counted, 100, out, first)) return;
  expect_each(device, out, [&](std::size_t i) { return first * i + i * (i - 1) / 2; });
}

CONFORMANCE_TEST(Corpus, IdsInTwoDimensions) {
  const auto ids = kernel("ids", [](Out<uint32_t> out) {
                     const auto x = global_id(0);
                     const auto y = global_id(1);
                     out[y * element_count(0) + x] = x | y << 8 | local_id(0) << 16 | local_id(1) << 20 |
                                                     group_id(0) << 24 | group_id(1) << 28;
                   }).with(group(8, 4));
  const auto out = device.buffer<uint32_t>(50 * 30).value();  // ragged in both
  if (!ran(device, ids, elements(50, 30), out)) return;
  expect_each(device, out, [](std::size_t at) {
    const auto x = static_cast<uint32_t>(at % 50);
    const auto y = static_cast<uint32_t>(at / 50);
    return x | y << 8 | x % 8 << 16 | y % 4 << 20 | x / 8 << 24 | y / 4 << 28;
  });
}

CONFORMANCE_TEST(Corpus, IdsInThreeDimensions) {
  const auto ids = kernel("ids", [](Out<uint32_t> out) {
                     const auto at =
                         (global_id(2) * element_count(1) + global_id(1)) * element_count(0) + global_id(0);
                     out[at] = global_id(0) + global_id(1) * 100u + global_id(2) * 10'000u +
                               group_size(0) * 1'000'000u + group_count(2) * 100'000'000u;
                   }).with(group(4, 2, 3));
  const auto out = device.buffer<uint32_t>(9 * 7 * 5).value();
  if (!ran(device, ids, elements(9, 7, 5), out)) return;
  expect_each(device, out, [](std::size_t at) {
    return at % 9 + at / 9 % 7 * 100 + at / 63 * 10'000 + 4 * 1'000'000 + 2 * 100'000'000;
  });
}

CONFORMANCE_TEST(Corpus, RaggedGridsLeaveTheRestAlone) {
  const auto mark = kernel("mark", [](InOut<uint32_t> x) { x[global_id()] = 7u; }).with(group(64));
  for (const uint32_t count : {1u, 63u, 64u, 65u, 127u}) {
    const auto x = device.upload(counting(192, 100)).value();
    if (!ran(device, mark, count, x)) return;
    expect_each(device, x, [&](std::size_t i) { return i < count ? 7 : 100 + i; });
  }
}

CONFORMANCE_TEST(Corpus, WholeGroups) {
  const auto where = kernel("where", [](Out<uint32_t> out) {
                       out[group_id() * group_size() + local_id()] =
                           group_id() * 1000u + local_id() + group_count() * 100'000u;
                     }).with(group(32));
  const auto out = device.buffer<uint32_t>(7 * 32).value();
  if (!ran(device, where, groups(7), out)) return;
  expect_each(device, out, [](std::size_t i) { return i / 32 * 1000 + i % 32 + 700'000; });
}

namespace {

template <class T>
Expr<T> horner(const Expr<T>& x, std::initializer_list<T> coefficients) {
  Var<T> sum = T{0};
  for (const T c : coefficients) sum = sum * x + c;
  return sum;
}

Expr<int32_t> power(const Expr<int32_t>& base, uint32_t exponent) {  // unrolled while it is traced
  if (exponent == 0) return 1;
  const Expr<int32_t> half = power(base, exponent / 2);
  return exponent % 2 == 0 ? half * half : half * half * base;
}

}  // namespace

CONFORMANCE_TEST(Corpus, PlainFunctionsAndTemplates) {
  const auto polynomial = kernel("polynomial", [](In<int32_t> x, Out<int32_t> y) {
    const auto i = global_id();
    y[i] = horner<int32_t>(x[i], {3, -2, 0, 9}) + power(x[i], 5);
  });
  std::vector<int32_t> x(41);
  for (int32_t i = 0; i < 41; ++i) x[static_cast<std::size_t>(i)] = i - 20;
  const auto y = device.buffer<int32_t>(41).value();
  if (!ran(device, polynomial, 41, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    const int32_t v = x[i];
    return 3 * v * v * v - 2 * v * v + 9 + v * v * v * v * v;
  });
}

CONFORMANCE_TEST(Corpus, CapturedConstants) {
  for (const uint32_t factor : {3u, 5u}) {
    const std::vector<uint32_t> table{2, 3, 5, 7, 11};
    const auto scaled = kernel("scaled", [=](In<uint32_t> x, Out<uint32_t> y) {
      const auto i = global_id();
      Var<uint32_t> sum = x[i] * factor;
      for (const uint32_t prime : table) sum += (x[i] % prime) * prime;
      y[i] = sum;
    });
    const Words x = pattern(100);
    const auto y = device.buffer<uint32_t>(100).value();
    if (!ran(device, scaled, 100, device.upload(x).value(), y)) return;
    expect_each(device, y, [&](std::size_t i) {
      uint32_t sum = x[i] * factor;
      for (const uint32_t prime : table) sum += x[i] % prime * prime;
      return sum;
    });
  }
}

CONFORMANCE_TEST(Corpus, ValuesOfManyTypes) {
  const auto values = kernel("values", [](Out<int32_t> out, Value<int8_t> a, Value<uint16_t> b,
                                          Value<float> c, Value<int32_t> d, Value<uint8_t> e) {
    out[global_id()] = cast<int32_t>(a) + cast<int32_t>(b) * 2 + cast<int32_t>(c * 4.0f) + d +
                       cast<int32_t>(e) + cast<int32_t>(global_id());
  });
  const auto out = device.buffer<int32_t>(70).value();
  if (!ran(device, values, 70, out, int8_t{-100}, uint16_t{60'000}, 2.75f, -1'000'000, uint8_t{250})) return;
  expect_each(device, out,
              [](std::size_t i) { return -100 + 120'000 + 11 - 1'000'000 + 250 + static_cast<int32_t>(i); });
}

CONFORMANCE_TEST(Corpus, MandelbrotIterations) {
  const auto mandelbrot = kernel("mandelbrot", [](Out<uint32_t> out) {
                            const auto cx = cast<float>(global_id(0)) * 0.0625f - 2.5f;
                            const auto cy = cast<float>(global_id(1)) * 0.0625f - 1.5f;
                            Var<float> x = 0.0f;
                            Var<float> y = 0.0f;
                            Var<uint32_t> n = 0u;
                            while_([&] { return (x * x + y * y <= 4.0f) && (n < 100u); },
                                   [&] {
                                     const Expr<float> next = x * x - y * y + cx;
                                     y = 2.0f * x * y + cy;
                                     x = next;
                                     n += 1u;
                                   });
                            out[global_id(1) * element_count(0) + global_id(0)] = n;
                          }).with(group(8, 8));
  const auto out = device.buffer<uint32_t>(64 * 48).value();
  if (!ran(device, mandelbrot, elements(64, 48), out)) return;
  expect_each(device, out, [](std::size_t at) {
    const float cx = static_cast<float>(at % 64) * 0.0625f - 2.5f;
    const float cy = static_cast<float>(at / 64) * 0.0625f - 1.5f;
    float x = 0;
    float y = 0;
    uint32_t n = 0;
    for (; x * x + y * y <= 4.0f && n < 100; ++n) {
      const float next = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = next;
    }
    return n;
  });
}

}  // namespace conformance
