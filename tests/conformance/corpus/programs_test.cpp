// Corpus: small programs that put functions, tables, rows, float atomics and messages together.

#include <array>
#include <bit>
#include <numeric>

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

// CRC-32 of zip and PNG.
std::array<uint32_t, 256> crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  return table;
}

}  // namespace

CONFORMANCE_TEST(Corpus, CyclicRedundancyChecksByATable) {
  const auto numbers_of_table = crc_table();
  const auto table = constant_table<uint32_t>(std::span<const uint32_t>(numbers_of_table));
  const auto crc = kernel("crc", [&](In<uint8_t> x, Out<uint32_t> y, Value<uint32_t> length) {
    const auto i = global_id();
    Var<uint32_t> c = 0xffffffffu;
    for_(0u, length,
         [&](Expr<uint32_t> k) { c = table[(c ^ cast<uint32_t>(x[i * length + k])) & 0xffu] ^ (c >> 8u); });
    y[i] = ~c;
  });
  const std::string text = "123456789";
  std::vector<uint8_t> x;
  for (int i = 0; i < 100; ++i) {
    x.insert(x.end(), text.begin(), text.end());
    x.back() = static_cast<uint8_t>('9' + i);
  }
  const auto y = device.buffer<uint32_t>(100).value();
  if (!ran(device, crc, 100, device.upload(x).value(), y, 9u)) return;
  EXPECT_EQ(read(device, y)[0], 0xcbf43926u);  // the published check value
  expect_each(device, y, [&](std::size_t i) {
    uint32_t c = 0xffffffffu;
    for (std::size_t k = 0; k < 9; ++k) c = numbers_of_table[(c ^ x[i * 9 + k]) & 255] ^ (c >> 8);
    return ~c;
  });
}

CONFORMANCE_TEST(Corpus, ABitonicSortWithAFunction) {
  constexpr uint32_t kCount = 128;
  const auto in_order =
      function("in_order", [](Expr<uint32_t> a, Expr<uint32_t> b, Expr<bool> up) { return (a <= b) == up; });
  const auto sort = kernel("sort", [&](InOut<uint32_t> x) {
                      const auto i = local_id();
                      const auto part = shared<uint32_t>(kCount);
                      part[i] = x[global_id()];
                      barrier();
                      for (uint32_t size = 2; size <= kCount; size *= 2) {
                        for (uint32_t step = size / 2; step != 0; step /= 2) {
                          const auto other = i ^ step;
                          const Var<uint32_t> own = part[i];
                          const Var<uint32_t> its = part[other];
                          const Expr<bool> up = ((i & size) == 0u) == (i < other);
                          barrier();
                          part[i] = select(in_order(own, its, up), own, its);
                          barrier();
                        }
                      }
                      x[global_id()] = part[i];
                    }).with(group(kCount));
  Words x = pattern(3 * kCount, 5);
  const auto sorted = device.upload(x).value();
  if (!ran(device, sort, x.size(), sorted)) return;
  for (std::size_t g = 0; g < 3; ++g) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(g * kCount);
    std::sort(begin, begin + kCount);
  }
  expect_each(device, sorted, [&](std::size_t i) { return x[i]; });
}

CONFORMANCE_TEST(Corpus, TheGameOfLifeOnRows) {
  const auto step = kernel("step", [](In<uint8_t, 2> now, Out<uint8_t, 2> next) {
    const auto row = global_id(1);
    const auto column = global_id(0);
    Var<uint32_t> neighbours = 0u;
    for (uint32_t dy = 0; dy < 3; ++dy) {
      for (uint32_t dx = 0; dx < 3; ++dx) {
        if (dy == 1 && dx == 1) continue;
        const auto y = (row + now.rows() + dy - 1u) % now.rows();
        const auto x = (column + now.columns() + dx - 1u) % now.columns();
        neighbours += cast<uint32_t>(now(y, x));
      }
    }
    const auto alive = now(row, column) != uint8_t{0};
    next(row, column) = cast<uint8_t>(select(neighbours == 3u || (alive && neighbours == 2u), 1u, 0u));
  });
  constexpr std::size_t kRows = 12, kColumns = 17;
  std::vector<uint8_t> cells(kRows * kColumns);
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i] = static_cast<uint8_t>(pattern(1, static_cast<uint32_t>(i))[0] >> 31);
  const auto now = device.upload(cells).value();
  const auto next = device.buffer<uint8_t>(cells.size()).value();
  if (!ran(device, step, elements(kColumns, kRows), now.as_rows(kRows, kColumns),
           next.as_rows(kRows, kColumns)))
    return;
  expect_each(device, next, [&](std::size_t i) {
    const std::size_t row = i / kColumns, column = i % kColumns;
    int neighbours = 0;
    for (std::size_t dy = 0; dy < 3; ++dy) {
      for (std::size_t dx = 0; dx < 3; ++dx) {
        if (dy == 1 && dx == 1) continue;
        neighbours +=
            cells[(row + kRows + dy - 1) % kRows * kColumns + (column + kColumns + dx - 1) % kColumns];
      }
    }
    return neighbours == 3 || (cells[i] != 0 && neighbours == 2) ? 1 : 0;
  });
}

CONFORMANCE_TEST(Corpus, ADotProductBySharedAndGlobalFloatAtomics) {
  const auto dot_product = kernel("dot_product", [](In<float> x, In<float> y, InOut<float> sum) {
                             const auto part = shared<float>(1);
                             if_(local_id() == 0u, [&] { part[0u] = 0.0f; });
                             barrier();
                             (void)atomic_add(part, 0u, x[global_id()] * y[global_id()]);
                             barrier();
                             if_(local_id() == 0u, [&] { (void)atomic_add(sum, 0u, Expr<float>(part[0u])); });
                           }).with(group(64));
  std::vector<float> x(1024), y(1024);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(static_cast<int>(i % 13) - 6);
    y[i] = static_cast<float>(i % 7) / 4;
  }
  const auto sum = device.buffer<float>(1).value();
  if (!ran(device, dot_product, 1024, device.upload(x).value(), device.upload(y).value(), sum)) return;
  EXPECT_EQ(read(device, sum)[0], std::inner_product(x.begin(), x.end(), y.begin(), 0.0f));
}

CONFORMANCE_TEST(Corpus, AStepOfBodiesThatAttract) {
  const auto pull = function("pull", [](Expr<float3> from, Expr<float3> to) {
    const auto way = to - from;
    const auto square = dot(way, way) + 0.25f;
    return way / (square * sqrt(square));
  });
  const auto step = kernel("step", [&](In<float3> at, InOut<float3> speed, Value<float> time) {
    const auto i = global_id();
    Var<float3> force = float3{0, 0, 0};
    for_(0u, at.size(), [&](Expr<uint32_t> k) { force += pull(at[i], at[k]); });
    speed[i] = speed[i] + force * time;
  });
  constexpr std::size_t kBodies = 50;
  std::vector<float3> at(kBodies), speed(kBodies);
  const auto some = numbers<float>(kBodies * 3);
  for (std::size_t i = 0; i < kBodies; ++i)
    at[i] = {some[3 * i] / 100, some[3 * i + 1] / 100, some[3 * i + 2] / 100};
  const auto moved = device.upload(speed).value();
  if (!ran(device, step, kBodies, device.upload(at).value(), moved, 0.125f)) return;
  const auto got = read(device, moved);
  for (std::size_t i = 0; i < kBodies; ++i) {
    double sum[3] = {};
    for (std::size_t k = 0; k < kBodies; ++k) {
      const double way[3] = {at[k].x - at[i].x, at[k].y - at[i].y, at[k].z - at[i].z};
      const double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2] + 0.25;
      for (int d = 0; d < 3; ++d) sum[d] += way[d] / (square * std::sqrt(square));
    }
    ASSERT_NEAR(got[i].x, sum[0] * 0.125, 1e-4) << i;
    ASSERT_NEAR(got[i].y, sum[1] * 0.125, 1e-4) << i;
    ASSERT_NEAR(got[i].z, sum[2] * 0.125, 1e-4) << i;
  }
}

CONFORMANCE_TEST(Corpus, RootsByNewtonWithAnAssert) {
  const auto root = kernel("root", [](InOut<float> x) {
    const auto i = global_id();
    const Var<float> square = x[i];
    Var<float> guess = square;
    for_(0u, 20u, [&](Expr<uint32_t>) { guess = (guess + square / guess) * 0.5f; });
    assert_(abs(guess * guess - square) <= square * 1e-5f, "the root of {} is not {}", square, guess);
    x[i] = guess;
  });
  std::vector<float> x(300);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1) * 0.75f;
  const auto roots = device.upload(x).value();
  if (!ran(device, root, x.size(), roots)) return;
  expect_near(device, roots, 1e-5, [&](std::size_t i) { return std::sqrt(x[i]); });
}

CONFORMANCE_TEST(Corpus, ASieveThatCountsByAtomics) {
  const auto sieve = kernel("sieve", [](InOut<uint32_t> composite, InOut<uint32_t> count) {
    const auto n = global_id() + 2u;
    Var<uint32_t> divisor = 2u;
    Var<bool> prime = true;
    while_([&] { return divisor * divisor <= n; },
           [&] {
             if_(n % divisor == 0u, [&] {
               prime = false;
               break_();
             });
             divisor += 1u;
           });
    if_(prime, [&] { (void)atomic_add(count, 0u, 1u); }).else_([&] { composite[global_id()] = divisor; });
  });
  constexpr uint32_t kLast = 2000;
  const auto composite = device.buffer<uint32_t>(kLast - 1).value();
  const auto count = device.buffer<uint32_t>(1).value();
  if (!ran(device, sieve, kLast - 1, composite, count)) return;
  EXPECT_EQ(read(device, count)[0], 303u);  // primes up to 2000
  expect_each(device, composite, [](std::size_t i) {
    const auto n = static_cast<uint32_t>(i + 2);
    for (uint32_t d = 2; d * d <= n; ++d) {
      if (n % d == 0) return d;
    }
    return 0u;
  });
}

CONFORMANCE_TEST(Corpus, InterpolationBetweenTheEntriesOfATable) {
  const auto curve = constant_table<float>({0.0f, 1.0f, 4.0f, 9.0f, 16.0f});
  const auto look_up = function("look_up", [](Expr<float> low, Expr<float> high, Expr<float> part) {
    return low + (high - low) * part;
  });
  const auto all = kernel("all", [&](In<float> x, Out<float> y) {
    const auto at = clamp(x[global_id()], 0.0f, 3.96875f);
    const auto whole = floor(at);
    const auto first = cast<uint32_t>(whole);
    y[global_id()] = look_up(curve[first], curve[first + 1u], at - whole);
  });
  std::vector<float> x(160);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(static_cast<int>(i) - 16) / 32;
  const auto y = device.buffer<float>(x.size()).value();
  if (!ran(device, all, x.size(), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    const float at = std::clamp(x[i], 0.0f, 3.96875f);
    const float whole = std::floor(at);
    return whole * whole + (2 * whole + 1) * (at - whole);
  });
}

CONFORMANCE_TEST(Corpus, RotationsOfVectorsByAMatrixFromAFunction) {
  const auto turn = function("turn", [](Expr<float> x, Expr<float> y, Expr<uint32_t> quarters) {
    return select((quarters & 1u) == 0u, x, -y) * select(quarters < 2u, 1.0f, -1.0f);
  });
  const auto all = kernel("all", [&](In<float2> x, Out<float2> y, Value<float2x2> stretch) {
    const auto i = global_id();
    const auto quarters = i % 4u;
    const auto v = stretch * x[i];
    const auto flipped = select((quarters & 1u) == 0u, 1.0f, -1.0f);
    y[i] = compose(turn(v.x, v.y, quarters), turn(v.y, -v.x, quarters)) * (flipped * flipped);
  });
  std::vector<float2> x(64);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {static_cast<float>(i), 3.0f - static_cast<float>(i % 5)};
  const float values[] = {2, 0, 0, -1};
  float2x2 stretch;
  std::memcpy(&stretch, values, sizeof stretch);
  const auto y = device.buffer<float2>(x.size()).value();
  if (!ran(device, all, x.size(), device.upload(x).value(), y, stretch)) return;
  const auto got = read(device, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    float a = 2 * x[i].x, b = -x[i].y;
    for (std::size_t k = 0; k < i % 4; ++k) {
      const float turned = -b;
      b = a;
      a = turned;
    }
    ASSERT_EQ(got[i].x, a) << i;
    ASSERT_EQ(got[i].y, b) << i;
  }
}

CONFORMANCE_TEST(Corpus, BfloatsAreScaledAndRounded) {
  const auto scale = kernel(
      "scale", [](InOut<bfloat16> x, Value<float> by) { x[global_id()] = x[global_id()] * by + 1.0f; });
  std::vector<bfloat16> x(256);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = bfloat16(static_cast<float>(i) / 8 - 10);
  const auto scaled = device.upload(x).value();
  if (!ran(device, scale, x.size(), scaled, 3.5f)) return;
  const auto got = read(device, scaled);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(static_cast<float>(got[i]),
              static_cast<float>(bfloat16(static_cast<float>(x[i]) * 3.5f + 1.0f)))
        << i;
  }
}

CONFORMANCE_TEST(Corpus, TheLargestOfEachGroupByFloatMaximum) {
  const auto largest = kernel("largest", [](In<float> x, Out<float> y) {
                         const auto part = shared<float>(1);
                         if_(local_id() == 0u, [&] { part[0u] = -1e30f; });
                         barrier();
                         (void)atomic_max(part, 0u, x[global_id()]);
                         barrier();
                         if_(local_id() == 0u, [&] { y[group_id()] = part[0u]; });
                       }).with(group(32));
  const auto x = numbers<float>(320);
  const auto y = device.buffer<float>(10).value();
  if (!ran(device, largest, 320, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t g) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(g * 32);
    return *std::max_element(begin, begin + 32);
  });
}

CONFORMANCE_TEST(Corpus, WordsAreCountedBySwitchedClasses) {
  const auto count = kernel("count", [](In<uint8_t> text, InOut<uint32_t> classes) {
    const auto c = cast<uint32_t>(text[global_id()]);
    switch_(c / 32u, case_(1u, [&] { (void)atomic_add(classes, 0u, 1u); }),
            case_({2u, 3u}, [&] { (void)atomic_add(classes, 1u, 1u); }),
            default_([&] { (void)atomic_add(classes, 2u, 1u); }));
  });
  std::vector<uint8_t> text(512);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<uint8_t>(i * 7);
  const auto classes = device.buffer<uint32_t>(3).value();
  if (!ran(device, count, text.size(), device.upload(text).value(), classes)) return;
  Words wanted(3);
  for (const uint8_t c : text) ++wanted[c / 32 == 1 ? 0 : c / 32 == 2 || c / 32 == 3 ? 1 : 2];
  EXPECT_EQ(read(device, classes), wanted);
}

}  // namespace conformance
