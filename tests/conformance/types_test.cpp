// Halves, 64-bit integers, vectors and structs in kernels, on every device.

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "conformance/conformance.hpp"

namespace types_conformance {

enum class State : std::uint8_t { idle, running, waiting = 7, done };

struct Inner {
  float weight;
  collet::half2 pair;
  std::uint8_t kind;
  std::int16_t rank;
};
COLLET_STRUCT(Inner, weight, pair, kind, rank)

struct Particle {
  collet::float3 position, velocity;
  float mass;
  Inner inner;
};
COLLET_STRUCT(Particle, position, velocity, mass, inner)

struct Step {
  float time;
  collet::float3 force;
};
COLLET_STRUCT(Step, time, force)

struct Taps {
  float weight[3];
  std::array<std::int16_t, 2> shift;
  std::uint8_t kind;
};
COLLET_STRUCT(Taps, weight, shift, kind)

struct Filter {
  Taps taps[2];
  float table[2][3];
};
COLLET_STRUCT(Filter, taps, table)

}  // namespace types_conformance

namespace conformance {
using namespace collet;
namespace {

using types_conformance::Filter;
using types_conformance::Particle;
using types_conformance::Step;
using types_conformance::Taps;

constexpr std::size_t kCount = 100;

Particle particle(std::size_t i) {
  Particle made{};  // padding too
  const auto f = static_cast<float>(i);
  made.position = {f, f + 0.5f, -f};
  made.velocity = {1, 2, f};
  made.mass = 1 + f;
  made.inner.weight = f * f;
  made.inner.pair = {half(f), half(-f / 4)};
  made.inner.kind = static_cast<std::uint8_t>(i * 7);
  made.inner.rank = static_cast<std::int16_t>(-300 * static_cast<int>(i));
  return made;
}

std::vector<Particle> particles() {
  std::vector<Particle> made;
  for (std::size_t i = 0; i < kCount; ++i) made.push_back(particle(i));
  return made;
}

bool same(const Particle& a, const Particle& b) {
  return a.position == b.position && a.velocity == b.velocity && a.mass == b.mass &&
         a.inner.weight == b.inner.weight && a.inner.pair == b.inner.pair && a.inner.kind == b.inner.kind &&
         a.inner.rank == b.inner.rank;
}

}  // namespace

CONFORMANCE_TEST(Types, FieldsOfStructsAreReadAndWrittenByThemselves) {
  const auto move = kernel("move", [](InOut<Particle> p, Value<Step> step) {
    const auto i = global_id();
    p[i].velocity = p[i].velocity + step.force / p[i].mass * step.time;
    p[i].position.y = p[i].position.y + p[i].inner.weight;
    p[i].inner.kind = cast<std::uint8_t>(i + 1u);
    p[i].inner.rank = p[i].inner.rank * std::int16_t{2};
    p[i].inner.pair.y = p[i].inner.pair.x + p[i].inner.pair.x;
  });
  const auto before = particles();
  const auto buffer = device.upload(before).value();
  const Step step{.time = 0.5f, .force = {0, 0, 0}};
  auto stream = device.stream();
  stream.launch(move, kCount, buffer, step);
  ASSERT_OK(stream.wait());
  const auto after = read(device, buffer);
  for (std::size_t i = 0; i < kCount; ++i) {
    Particle want = before[i];
    want.position.y += want.inner.weight;
    want.inner.kind = static_cast<std::uint8_t>(i + 1);
    want.inner.rank = static_cast<std::int16_t>(want.inner.rank * 2);
    want.inner.pair.y = want.inner.pair.x + want.inner.pair.x;
    ASSERT_TRUE(same(after[i], want)) << i;
  }
}

CONFORMANCE_TEST(Types, StructsAreCopiedThroughVariablesAndSharedMemory) {
  const auto turn = kernel("turn", [](In<Particle> in, Out<Particle> out, Out<float> masses) {
                      const auto i = local_id();
                      const auto held = shared<Particle>(64);
                      held[i] = in[global_id()];
                      barrier();
                      Var<Particle> mine = held[63u - i];
                      mine.mass = mine.mass + 1.0f;
                      out[global_id()] = mine;
                      masses[global_id()] = in[global_id()].mass;
                    }).with(group(64));
  std::vector<Particle> before;
  for (std::size_t i = 0; i < 128; ++i) before.push_back(particle(i));
  const auto in = device.upload(before).value();
  const auto out = device.buffer<Particle>(128).value();
  const auto masses = device.buffer<float>(128).value();
  auto stream = device.stream();
  stream.launch(turn, groups(2), in, out, masses);
  ASSERT_OK(stream.wait());
  const auto after = read(device, out);
  const auto got = read(device, masses);
  for (std::size_t i = 0; i < 128; ++i) {
    Particle want = before[i / 64 * 64 + 63 - i % 64];
    want.mass += 1;
    ASSERT_TRUE(same(after[i], want)) << i;
    ASSERT_EQ(got[i], before[i].mass) << i;
  }
}

CONFORMANCE_TEST(Types, FieldsMayBeArrays) {
  const auto change = kernel("change", [](InOut<Filter> x, Out<float> y, Value<Taps> by) {
    const auto i = global_id();
    y[i] = x[i].taps[1].weight[i % 4u] + x[i].table[1][2];  // 0 beyond the end
    Var<Filter> held = x[i];
    for (int k = 0; k < 3; ++k) held.taps[0].weight[k] = held.taps[0].weight[k] * by.weight[k];
    held.taps[1].shift[1] += by.shift[0];
    x[i] = held;
    x[i].table[0][1] = 7.0f;
    x[i].taps[0].kind = by.kind;
  });
  std::vector<Filter> host(8);
  for (int i = 0; i < 8; ++i) {
    const auto f = static_cast<float>(i);
    host[static_cast<std::size_t>(i)] = {{{{f, 2, 3}, {4, 5}, 6}, {{10, 20, 30}, {-1, -2}, 9}},
                                         {{1, 2, 3}, {4, 5, f}}};
  }
  const auto x = device.upload(host).value();
  const auto y = device.buffer<float>(8).value();
  auto stream = device.stream();
  stream.launch(change, 8, x, y, Taps{{2, 3, 4}, {100, 0}, 77});
  const std::vector<Filter> after = stream.download(x).value();
  const std::vector<float> read = stream.download(y).value();
  const float second[] = {10, 20, 30, 0};
  for (std::size_t i = 0; i < 8; ++i) {
    const auto f = static_cast<float>(i);
    EXPECT_EQ(read[i], second[i % 4] + f);
    const Taps& first = after[i].taps[0];
    EXPECT_EQ(first.weight[0], 2 * f);
    EXPECT_EQ(first.weight[1], 6);
    EXPECT_EQ(first.weight[2], 12);
    EXPECT_EQ(first.shift, (std::array<std::int16_t, 2>{4, 5}));
    EXPECT_EQ(first.kind, 77);
    EXPECT_EQ(after[i].taps[1].weight[2], 30);
    EXPECT_EQ(after[i].taps[1].shift, (std::array<std::int16_t, 2>{-1, 98}));
    EXPECT_EQ(after[i].taps[1].kind, 9);
    EXPECT_EQ(after[i].table[0][0], 1);
    EXPECT_EQ(after[i].table[0][1], 7);
    EXPECT_EQ(after[i].table[1][2], f);
  }
}

CONFORMANCE_TEST(Types, AnElementThatAnArrayLacksIsNamed) {
  const auto wrong = kernel("wrong", [](In<Taps> x, Out<float> y) { y[0u] = x[0u].weight[3]; });
  const auto compiled = device.compile(wrong);
  ASSERT_FALSE(compiled);
  EXPECT_NE(compiled.error().message().find("Element 3 is used of a field that is an array of 3."),
            std::string::npos)
      << compiled.error().describe();
}

CONFORMANCE_TEST(Types, VectorsOfThreeArePackedAndComputeByComponent) {
  const auto k = kernel("k", [](In<float3> a, InOut<float3> b, Out<float> dots, Value<float4> scale) {
    const auto i = global_id();
    Var<float3> v = a[i] * 2.0f + b[i];
    dots[i] = dot(a[i], v);
    v.x = v.x + scale.w;
    b[i] = select(v < float3{50, 60, 70}, v, max(-v, -100.0f));
    if_(all(a[i] > 3.0f), [&] { b[i].z = -1.0f; });
  });
  std::vector<float3> a;
  std::vector<float3> b;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto f = static_cast<float>(i);
    a.push_back({f, f + 1, f + 2});
    b.push_back({1, -f, 0.5f});
  }
  const auto da = device.upload(a).value();
  const auto db = device.upload(b).value();
  const auto dots = device.buffer<float>(kCount).value();
  auto stream = device.stream();
  stream.launch(k, kCount, da, db, dots, float4{1, 2, 3, 4});
  ASSERT_OK(stream.wait());
  const auto got = read(device, db);
  const auto got_dots = read(device, dots);
  for (std::size_t i = 0; i < kCount; ++i) {
    float3 v{a[i].x * 2 + b[i].x, a[i].y * 2 + b[i].y, a[i].z * 2 + b[i].z};
    ASSERT_EQ(got_dots[i], a[i].x * v.x + a[i].y * v.y + a[i].z * v.z) << i;
    v.x += 4;
    const auto chosen = [](float x, float below) { return x < below ? x : std::max(-x, -100.0f); };
    float3 want{chosen(v.x, 50), chosen(v.y, 60), chosen(v.z, 70)};
    if (a[i].x > 3 && a[i].y > 3 && a[i].z > 3) want.z = -1;
    ASSERT_EQ(got[i], want) << i;
  }
}

CONFORMANCE_TEST(Types, IntegersOf64BitsWorkEverywhereAndReceiptsSayWhereTheyAreEmulated) {
  const auto k = kernel("k", [](InOut<std::int64_t> x, Value<std::int64_t> by) {
    const auto i = global_id();
    x[i] = x[i] * by / 7 - cast<std::int64_t>(i);
  });
  constexpr std::int64_t kBy = -3'000'000'001;
  std::vector<std::int64_t> before, wanted;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    before.push_back(number * 123'456'789 - 1'000'000'000);
    wanted.push_back(before.back() * kBy / 7 - number);
  }
  const auto x = device.upload(before).value();
  auto stream = device.stream();
  stream.launch(k, kCount, x, kBy);
  const auto receipt = stream.wait();
  ASSERT_OK(receipt);
  EXPECT_EQ(read(device, x), wanted);
  const bool native = device.info().i64.value_or(true);
  EXPECT_EQ(receipt->launches.at(0).facts->emulated,
            native ? std::vector<std::string>() : std::vector<std::string>{"64-bit integers"});
}

CONFORMANCE_TEST(Types, VectorsOfBytesAndOfWords) {
  using byte3 = vec<std::uint8_t, 3>;
  const auto k = kernel("k", [](In<byte3> a, Out<byte3> b, Out<uint4> c) {
    const auto i = global_id();
    b[i] = a[i] + std::uint8_t{200};
    c[i] = compose(i, i * 2u, cast<std::uint32_t>(a[i].z), 9u) << 1u;
  });
  std::vector<byte3> a;
  for (std::size_t i = 0; i < kCount; ++i)
    a.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(3 * i), 255});
  const auto da = device.upload(a).value();
  const auto db = device.buffer<byte3>(kCount).value();
  const auto dc = device.buffer<uint4>(kCount).value();
  auto stream = device.stream();
  stream.launch(k, kCount, da, db, dc);
  ASSERT_OK(stream.wait());
  const auto b = read(device, db);
  const auto c = read(device, dc);
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto moved = [](std::uint8_t x) { return static_cast<std::uint8_t>(x + 200); };
    ASSERT_EQ(b[i], (byte3{moved(a[i].x), moved(a[i].y), moved(a[i].z)})) << i;
    const auto n = static_cast<std::uint32_t>(i);
    ASSERT_EQ(c[i], (uint4{2 * n, 4 * n, 510, 18})) << i;
  }
}

CONFORMANCE_TEST(Types, HalvesRoundAsOnTheHost) {
  const auto k =
      kernel("k", [](In<half> a, Out<half> sums, Out<half> from_float, Out<float> wide, Value<half> k1) {
        const auto i = global_id();
        Var<half> sum = a[i] + a[i + 1u];
        sum += k1;
        sums[i] = sum * 1.5f;
        wide[i] = cast<float>(a[i]);
        from_float[i] = cast<half>(cast<float>(a[i]) * 0.3337f);
      });
  std::vector<half> a;
  for (std::uint32_t i = 0; i <= 2000; ++i)
    a.push_back(half::from_bits(static_cast<std::uint16_t>(i * 15 + (i % 2) * 0x8000)));
  const std::size_t count = a.size() - 1;
  const auto da = device.upload(a).value();
  const auto sums = device.buffer<half>(count).value();
  const auto from_float = device.buffer<half>(count).value();
  const auto wide = device.buffer<float>(count).value();
  auto stream = device.stream();
  stream.launch(k, count, da, sums, from_float, wide, half(0.25f));
  ASSERT_OK(stream.wait());
  const auto got = read(device, sums);
  const auto got_narrow = read(device, from_float);
  const auto got_wide = read(device, wide);
  for (std::size_t i = 0; i < count; ++i) {
    const half sum(half(a[i] + a[i + 1]) + half(0.25f));
    ASSERT_EQ(got[i].bits(), half(sum * 1.5f).bits()) << i;
    ASSERT_EQ(got_wide[i], static_cast<float>(a[i])) << i;
    ASSERT_EQ(got_narrow[i].bits(), half(static_cast<float>(a[i]) * 0.3337f).bits()) << i;
  }
}

CONFORMANCE_TEST(Types, Bfloat16StoresFloatsAsOnTheHost) {
  const auto convert =
      kernel("convert", [](In<bfloat16> x, Out<float> wide, In<float> y, InOut<bfloat16> narrow) {
        const auto i = global_id();
        wide[i] = x[i];
        narrow[i] += y[i];  // from 0
      });
  std::vector<bfloat16> x(65536);
  std::vector<float> y(65536);
  for (std::uint32_t i = 0; i < 65536; ++i) {
    x[i] = bfloat16::from_bits(static_cast<std::uint16_t>(i));
    y[i] = std::bit_cast<float>(i << 16 | (i * 40503u >> 3 & 0xffffu));  // halves between two, and others
    if (i % 5 == 0) y[i] = std::bit_cast<float>(i << 16 | 0x8000u);
  }
  const auto wide = device.buffer<float>(65536).value();
  const auto narrow = device.buffer<bfloat16>(65536).value();
  auto stream = device.stream();
  stream.launch(convert, 65536, device.upload(x).value(), wide, device.upload(y).value(), narrow);
  const auto floats = stream.download(wide).value();
  const auto stored = stream.download(narrow).value();
  for (std::size_t i = 0; i < 65536; ++i) {
    const float want = x[i];
    const bool tiny = std::fpclassify(want) == FP_SUBNORMAL;  // a device may take 0 for it
    ASSERT_TRUE(std::isnan(want) ? std::isnan(floats[i]) : tiny || floats[i] == want) << i;
    const bool open = y[i] == 0 || std::fpclassify(y[i]) == FP_SUBNORMAL;
    ASSERT_TRUE(std::isnan(y[i]) ? std::isnan(float(stored[i]))
                                 : open || stored[i].bits() == bfloat16(y[i]).bits())
        << i << ": " << y[i];
  }
}

CONFORMANCE_TEST(Types, FunctionsOfVectorsAreThoseOfTheirComponents) {
  const auto k = kernel("k", [](In<float2> a, Out<float2> b) { b[global_id()] = exp(a[global_id()]); });
  const std::vector<float2> a{{0, 1}, {2, -3}};
  const auto da = device.upload(a).value();
  const auto db = device.buffer<float2>(2).value();
  auto stream = device.stream();
  stream.launch(k, 2, da, db);
  ASSERT_OK(stream.wait());
  const auto b = read(device, db);
  EXPECT_EQ(b[0].x, 1.0f);
  EXPECT_NEAR(b[0].y, 2.7182818f, 5e-7f);
  EXPECT_NEAR(b[1].x, 7.389056f, 1e-6f);
  EXPECT_NEAR(b[1].y, 0.049787068f, 1e-8f);
}

CONFORMANCE_TEST(Types, IndicesMayHaveAnyIntegerType) {
  const auto gather = kernel("gather", [](In<std::uint32_t> x, In<std::int32_t> at, Out<std::uint32_t> y) {
    const auto i = global_id();
    const auto wide = cast<std::int64_t>(at[i]);
    y[i * 6u] = x[at[i]];
    y[i * 6u + 1u] = x[cast<std::int8_t>(at[i])];
    y[i * 6u + 2u] = x[cast<std::uint16_t>(at[i])];
    y[i * 6u + 3u] = x[wide];
    y[i * 6u + 4u] = x[wide + (std::int64_t{1} << 32)];  // what does not fit is beyond the end
    y[cast<std::uint64_t>(i) * 6u + 5u] = x[cast<std::uint64_t>(wide)];
  });
  const std::vector<std::uint32_t> x{10, 11, 12, 13};
  const std::vector<std::int32_t> at{0, 3, -1, 4, 1};
  const auto dx = device.upload(x).value();
  const auto dat = device.upload(at).value();
  const auto dy = device.buffer<std::uint32_t>(at.size() * 6).value();
  auto stream = device.stream();
  stream.launch(gather, at.size(), dx, dat, dy);
  const auto got = stream.download(dy);
  ASSERT_OK(got);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::uint32_t wanted = at[i] >= 0 && at[i] < 4 ? x[static_cast<std::size_t>(at[i])] : 0;
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_EQ((*got)[i * 6 + k], k == 4 ? 0 : wanted) << at[i] << " " << k;
  }
}

CONFORMANCE_TEST(Types, ConstantsMayStandOnEverySide) {
  const auto choose = kernel("choose", [](Out<float> y, Out<std::uint32_t> n) {
    const auto i = global_id();
    const auto odd = i % 2u == 1u;
    n[i] = select(odd, 7u, 9u) + max(2u, 1u);
    const auto v = compose(0.5f, cast<float>(i), 2) * compose(2.0f, 1.0f, min(4, 3));
    y[i] = v.x + v.y + v.z + select(odd, 1, 0.25f);
  });
  const auto y = device.buffer<float>(2).value();
  const auto n = device.buffer<std::uint32_t>(2).value();
  auto stream = device.stream();
  stream.launch(choose, 2, y, n);
  EXPECT_EQ(stream.download(y).value(), (std::vector<float>{7.25f, 9.0f}));
  EXPECT_EQ(stream.download(n).value(), (std::vector<std::uint32_t>{11, 9}));
}

CONFORMANCE_TEST(Types, ShiftsTakeAnAmountOfAnyIntegerType) {
  const auto shift = kernel("shift", [](In<std::uint32_t> by, Out<std::uint32_t> y) {
    const auto i = global_id();
    const auto one = cast<std::uint64_t>(i) + 1u;
    Var<std::uint32_t> v = 0x80000000u;
    v >>= one;
    Var<std::uint64_t> wide = one << by[i];
    wide <<= by[i];
    const auto two = compose(i, i + 1u) << cast<std::int16_t>(by[i]);
    y[i * 4u] = v;
    y[i * 4u + 1u] = cast<std::uint32_t>(wide >> by[i]);
    y[i * 4u + 2u] = two.x;
    y[i * 4u + 3u] = two.y;
  });
  const auto by = device.upload({3u, 20u}).value();
  const auto y = device.buffer<std::uint32_t>(8).value();
  auto stream = device.stream();
  stream.launch(shift, 2, by, y);
  EXPECT_EQ(stream.download(y).value(),
            (std::vector<std::uint32_t>{1u << 30, 8, 0, 8, 1u << 29, 2u << 20, 1u << 20, 2u << 20}));
}

CONFORMANCE_TEST(Types, VectorsHaveALengthACrossProductAndADirection) {
  const auto measure = kernel("measure", [](In<float3> a, In<float3> b, Out<float3> y, Out<float> n) {
    n[0u] = length(a[0u]);
    y[0u] = cross(a[0u], b[0u]);
    y[1u] = normalize(a[0u]);
    y[2u] = cross(float3{1, 0, 0}, b[0u]);
  });
  const auto a = device.upload(std::array{float3{2, 3, 6}}).value();
  const auto b = device.upload({float3{1, 4, 5}}).value();
  const auto y = device.buffer<float3>(3).value();
  const auto n = device.buffer<float>(1).value();
  auto stream = device.stream();
  stream.launch(measure, 1, a, b, y, n);
  const auto got = stream.download(y).value();
  EXPECT_EQ(got[0], (float3{-9, -4, 5}));
  EXPECT_FLOAT_EQ(got[1].x, 2.0f / 7);
  EXPECT_FLOAT_EQ(got[1].y, 3.0f / 7);
  EXPECT_FLOAT_EQ(got[1].z, 6.0f / 7);
  EXPECT_EQ(got[2], (float3{0, -5, 4}));
  EXPECT_FLOAT_EQ(stream.download(n).value()[0], 7.0f);
}

CONFORMANCE_TEST(Types, EnumsAreKeptComparedAndSwitchedOn) {
  using types_conformance::State;
  const auto step =
      kernel("step", [](In<State> from, Out<State> to, Out<std::uint32_t> n, Value<State> last) {
        const auto i = global_id();
        const auto state = from[i];
        Var<State> next = State::idle;
        Var<std::uint32_t> seen = 0u;
        switch_(state, case_(State::idle, [&] { next = State::running; }),
                case_({State::running, State::waiting},
                      [&] {
                        next = last;
                        seen = 1u;
                      }),
                default_([&] { next = state; }));
        to[i] = next;
        n[i] = seen + select(state == State::done, 10u, 20u) + cast<std::uint32_t>(state);
      });
  const std::vector<State> from{State::idle, State::running, State::waiting, State::done};
  const auto dfrom = device.upload(from).value();
  const auto to = device.buffer<State>(4).value();
  const auto n = device.buffer<std::uint32_t>(4).value();
  auto stream = device.stream();
  stream.launch(step, 4, dfrom, to, n, State::done);
  EXPECT_EQ(stream.download(to).value(),
            (std::vector<State>{State::running, State::done, State::done, State::done}));
  EXPECT_EQ(stream.download(n).value(), (std::vector<std::uint32_t>{20, 22, 28, 18}));
}

CONFORMANCE_TEST(Types, SwitchesInLoopsRunOneCaseAndBreakLeavesTheLoop) {
  const auto run = kernel("run", [](In<std::int32_t> program, Out<std::int32_t> y) {
    Var<std::int32_t> sum = 0;
    for_(0u, program.size(), [&](auto k) {
      switch_(program[k] + cast<std::int32_t>(global_id()), case_(1, [&] { sum += 10; }),
              case_({2, -3}, [&] { sum *= 2; }), case_(9, [&] { break_(); }));
      ++sum;
    });
    y[global_id()] = sum;
  });
  const auto program = device.upload({1, 2, 5, -3, 9, 1}).value();
  const auto y = device.buffer<std::int32_t>(2).value();
  auto stream = device.stream();
  stream.launch(run, 2, program, y);
  // 11, 23, 24, 49 and out; one further: 2 doubles 0, 3, 6, -2, 10, 2 doubles 5.
  EXPECT_EQ(stream.download(y).value(), (std::vector<std::int32_t>{49, 11}));
}

CONFORMANCE_TEST(Types, ComponentsStandInAnyOrder) {
  const auto turn = kernel("turn", [](In<float4> x, Out<float3> y, Out<float2> z) {
    y[0u] = swizzle<"zyx">(x[0u]);
    Var<float3> v = swizzle<"www">(x[0u]);
    y[1u] = swizzle<"xyz">(v);
    z[0u] = swizzle<"yx">(compose(1.0f, 2.0f)) + swizzle<"xx">(x[0u]);
  });
  const auto x = device.upload({float4{1, 2, 3, 4}}).value();
  const auto y = device.buffer<float3>(2).value();
  const auto z = device.buffer<float2>(1).value();
  auto stream = device.stream();
  stream.launch(turn, 1, x, y, z);
  EXPECT_EQ(stream.download(y).value(), (std::vector<float3>{{3, 2, 1}, {4, 4, 4}}));
  EXPECT_EQ(stream.download(z).value(), (std::vector<float2>{{3, 2}}));
}

CONFORMANCE_TEST(Types, ComponentsHaveNumbers) {
  const auto pick = kernel("pick", [](In<float3> x, Out<float> y) {
    const auto i = global_id();
    const Expr<float3> v = x[0u];
    Var<float3> w = v * 10.0f;
    y[i] = v[i] + w[cast<std::int32_t>(i) - 1] + v[2];  // there is 0 where the vector ends
  });
  const auto x = device.upload({float3{1, 2, 3}}).value();
  const auto y = device.buffer<float>(5).value();
  auto stream = device.stream();
  stream.launch(pick, 5, x, y);
  EXPECT_EQ(stream.download(y).value(), (std::vector<float>{4, 15, 26, 33, 3}));
}

}  // namespace conformance
