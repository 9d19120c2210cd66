// Corpus: workgroup memory, barriers, an item's own arrays, small elements, lengths, aliases.

#include <numeric>

#include "conformance/corpus/corpus.hpp"

namespace conformance {

CONFORMANCE_TEST(Corpus, GroupReversesItsElements) {
  const auto reverse = kernel("reverse", [](In<uint32_t> x, Out<uint32_t> y) {
                         const auto tile = shared<uint32_t>(64);
                         tile[local_id()] = x[global_id()];
                         barrier();
                         y[global_id()] = tile[63u - local_id()];
                       }).with(group(64));
  const Words x = pattern(64 * 9);
  const auto y = device.buffer<uint32_t>(x.size()).value();
  if (!ran(device, reverse, x.size(), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) { return x[i / 64 * 64 + 63 - i % 64]; });
}

CONFORMANCE_TEST(Corpus, BarriersInALoop) {
  const auto rotate = kernel("rotate", [](InOut<uint32_t> x, Value<uint32_t> rounds) {
                        const auto ring = shared<uint32_t>(32);
                        const auto i = local_id();
                        ring[i] = x[global_id()];
                        barrier();
                        for_(0u, rounds, [&](const auto& round) {
                          const Var<uint32_t> next = ring[(i + 1u) % 32u] + round;
                          barrier();
                          ring[i] = next;
                          barrier();
                        });
                        x[global_id()] = ring[i];
                      }).with(group(32));
  const Words x = pattern(96);
  const auto dx = device.upload(x).value();
  if (!ran(device, rotate, 96, dx, 11u)) return;
  expect_each(device, dx, [&](std::size_t i) { return x[i / 32 * 32 + (i + 11) % 32] + 55; });
}

CONFORMANCE_TEST(Corpus, SharedBytes) {
  const auto swap = kernel("swap", [](In<uint8_t> x, Out<uint8_t> y) {
                      const auto tile = shared<uint8_t>(64);
                      tile[local_id() ^ 1u] = x[global_id()];
                      barrier();
                      y[global_id()] = tile[local_id()];
                    }).with(group(64));
  const auto x = byte_pattern(256);
  const auto y = device.buffer<uint8_t>(256).value();
  if (!ran(device, swap, 256, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) { return x[i ^ 1]; });
}

CONFORMANCE_TEST(Corpus, SeveralSharedArraysOfDifferentTypes) {
  const auto mixed = kernel("mixed", [](In<uint32_t> x, Out<float> y) {
                       const auto whole = shared<uint32_t>(32);
                       const auto parts = shared<float>(32);
                       const auto small = shared<int16_t>(32);
                       const auto i = local_id();
                       whole[i] = x[global_id()] % 1000u;
                       parts[i] = cast<float>(x[global_id()] % 8u) * 0.125f;
                       small[i] = cast<int16_t>(i) - int16_t{16};
                       barrier();
                       const auto other = 31u - i;
                       y[global_id()] =
                           cast<float>(whole[other]) + parts[other] + cast<float>(small[other]) * 1000.0f;
                     }).with(group(32));
  const Words x = pattern(128);
  const auto y = device.buffer<float>(128).value();
  if (!ran(device, mixed, 128, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    const uint32_t v = x[i / 32 * 32 + 31 - i % 32];
    return static_cast<float>(v % 1000) + static_cast<float>(v % 8) * 0.125f +
           static_cast<float>(15 - static_cast<int32_t>(i % 32)) * 1000.0f;
  });
}

CONFORMANCE_TEST(Corpus, OwnArraysWithComputedIndices) {
  const auto sorted = kernel("sorted", [](In<uint32_t> x, Out<uint32_t> y) {
    const auto i = global_id();
    const auto own = array<uint32_t>(8);
    for_(0u, 8u, [&](const auto& k) { own[k] = x[i * 8u + k]; });
    for_(1u, 8u, [&](const auto& k) {  // insertion sort
      const Var<uint32_t> value = own[k];
      Var<uint32_t> at = k;
      while_([&] { return at > 0u; },
             [&] {
               if_(own[at - 1u] <= value, [] { break_(); });
               own[at] = own[at - 1u];
               at -= 1u;
             });
      own[at] = value;
    });
    for_(0u, 8u, [&](const auto& k) { y[i * 8u + k] = own[k]; });
  });
  Words x = pattern(800);
  const auto y = device.buffer<uint32_t>(800).value();
  if (!ran(device, sorted, 100, device.upload(x).value(), y)) return;
  for (std::size_t i = 0; i < 800; i += 8) std::sort(&x[i], &x[i] + 8);
  expect_each(device, y, [&](std::size_t i) { return x[i]; });
}

CONFORMANCE_TEST(Corpus, OwnArraysOfBytes) {
  const auto counts = kernel("counts", [](In<uint32_t> x, Out<uint32_t> y) {
    const auto i = global_id();
    const auto own = array<uint8_t>(16);
    for_(0u, 16u, [&](const auto& k) { own[k] = uint8_t{0}; });
    for_(0u, 8u, [&](const auto& k) {
      const Var<uint32_t> digit = x[i] >> (k * 4u) & 15u;
      own[digit] = own[digit] + uint8_t{1};
    });
    Var<uint32_t> sum = 0u;
    for_(0u, 16u, [&](const auto& k) { sum = sum * 3u + cast<uint32_t>(own[k]); });
    y[i] = sum;
  });
  const Words x = pattern(200);
  const auto y = device.buffer<uint32_t>(200).value();
  if (!ran(device, counts, 200, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    uint32_t digits[16] = {};
    for (uint32_t k = 0; k < 8; ++k) ++digits[x[i] >> (k * 4) & 15];
    return std::accumulate(digits, digits + 16, 0u, [](uint32_t sum, uint32_t n) { return sum * 3 + n; });
  });
}

CONFORMANCE_TEST(Corpus, BuffersOf8BitIntegers) {
  const auto step = kernel("step", [](In<int8_t> x, Out<int8_t> y, InOut<uint8_t> z) {
    const auto i = global_id();
    y[i] = x[i] * int8_t{3} - int8_t{1};
    z[i] = z[i] ^ cast<uint8_t>(i);
  });
  const auto x = numbers<int8_t>(333);
  const auto z = numbers<uint8_t>(333, 2);
  const auto y = device.buffer<int8_t>(333).value();
  const auto dz = device.upload(z).value();
  if (!ran(device, step, 333, device.upload(x).value(), y, dz)) return;
  expect_each(device, y, [&](std::size_t i) { return x[i] * 3 - 1; });
  expect_each(device, dz, [&](std::size_t i) { return z[i] ^ i; });
}

CONFORMANCE_TEST(Corpus, BuffersOf16BitIntegers) {
  const auto mix = kernel("mix", [](In<int16_t> x, In<uint16_t> w, Out<uint16_t> y) {
    const auto i = global_id();
    y[i] = bit_cast<uint16_t>(x[x.size() - 1u - i]) + w[i] * uint16_t{7};
  });
  const auto x = numbers<int16_t>(501);
  const auto w = numbers<uint16_t>(501, 2);
  const auto y = device.buffer<uint16_t>(501).value();
  if (!ran(device, mix, 501, device.upload(x).value(), device.upload(w).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) { return uint16_t(x[500 - i]) + w[i] * 7; });
}

CONFORMANCE_TEST(Corpus, LengthsOfBuffers) {
  const auto lengths =
      kernel("lengths", [](In<uint8_t> a, In<uint16_t> b, In<uint32_t> c, Out<uint32_t> out) {
        out[global_id()] = a.size() + b.size() * 1000u + c.size() * 1'000'000u + out.size() +
                           cast<uint32_t>(a[0u]) + cast<uint32_t>(b[0u]) + c[0u];
      });
  const auto a = device.buffer<uint8_t>(13).value();
  const auto b = device.buffer<uint16_t>(7).value();
  const auto c = device.buffer<uint32_t>(5).value();
  const auto out = device.buffer<uint32_t>(3).value();
  if (!ran(device, lengths, 3, a, b, c, out)) return;
  expect_each(device, out, [](std::size_t) { return 13 + 7000 + 5'000'000 + 3; });
}

CONFORMANCE_TEST(Corpus, AliasedArguments) {
  const auto halve = kernel("halve", [](MayAlias<In<uint32_t>> x, MayAlias<InOut<uint32_t>> y) {
    const auto i = global_id();
    y[i] = x[i] / 2u + y[i];
  });
  const Words x = pattern(128);
  const auto both = device.upload(x).value();
  if (!ran(device, halve, 128, both, both)) return;
  expect_each(device, both, [&](std::size_t i) { return x[i] / 2 + x[i]; });
}

CONFORMANCE_TEST(Corpus, UniformValuesAndBarriersBehindThem) {
  const auto spread = kernel("spread", [](In<uint32_t> x, Out<uint32_t> y) {
                        const auto first = uniform(x[group_id() * 64u]);
                        const auto sum = shared<uint32_t>(64);
                        sum[local_id()] = x[global_id()];
                        for_(0u, first % 5u, [&](const auto& k) {
                          barrier();
                          if_(local_id() == k, [&] { sum[63u] = sum[63u] + first; });
                        });
                        barrier();
                        y[global_id()] = sum[63u];
                      }).with(group(64));
  const Words x = pattern(64 * 6);
  const auto y = device.buffer<uint32_t>(x.size()).value();
  if (!ran(device, spread, x.size(), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    const uint32_t first = x[i / 64 * 64];
    return x[i / 64 * 64 + 63] + first % 5 * first;
  });
}

CONFORMANCE_TEST(Corpus, GatherAndScatter) {
  const auto permute =
      kernel("permute", [](In<uint32_t> x, In<uint32_t> from, In<uint32_t> to, Out<uint32_t> y) {
        const auto i = global_id();
        y[to[i]] = x[from[i]];
      });
  static constexpr uint32_t kCount = 1009;  // prime
  const Words x = pattern(kCount);
  Words from(kCount), to(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    from[i] = i * 17 % kCount;
    to[i] = i * 101 % kCount;
  }
  const auto y = device.buffer<uint32_t>(kCount).value();
  if (!ran(device, permute, kCount, device.upload(x).value(), device.upload(from).value(),
           device.upload(to).value(), y))
    return;
  Words wanted(kCount);
  for (uint32_t i = 0; i < kCount; ++i) wanted[to[i]] = x[from[i]];
  expect_each(device, y, [&](std::size_t i) { return wanted[i]; });
}

CONFORMANCE_TEST(Corpus, TransposeThroughATile) {
  const auto transpose = kernel("transpose", [](In<uint32_t> x, Out<uint32_t> y) {
                           const auto tile = shared<uint32_t>(8 * 9);
                           const auto n = element_count(0);
                           tile[local_id(1) * 9u + local_id(0)] = x[global_id(1) * n + global_id(0)];
                           barrier();
                           const auto row = group_id(0) * 8u + local_id(1);
                           const auto column = group_id(1) * 8u + local_id(0);
                           y[row * element_count(1) + column] = tile[local_id(0) * 9u + local_id(1)];
                         }).with(group(8, 8));
  const Words x = pattern(40 * 24);
  const auto y = device.buffer<uint32_t>(x.size()).value();
  if (!ran(device, transpose, elements(40, 24), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) { return x[i % 24 * 40 + i / 24]; });
}

}  // namespace conformance
