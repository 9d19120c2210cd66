// Corpus: reductions, scans, sorts, histograms, graphs.

#include <numeric>

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

// The sum of all items' values, for the first item; `part` has one element per item.
template <class T>
void reduce_group(const Shared<T>& part, uint32_t size) {
  for (uint32_t step = size / 2; step != 0; step /= 2) {
    barrier();
    if_(local_id() < step, [&] { part[local_id()] += part[local_id() + step]; });
  }
  barrier();
}

// Inclusive, over the group.
void scan_group(const Shared<uint32_t>& part, uint32_t size) {
  for (uint32_t step = 1; step < size; step *= 2) {
    barrier();
    Var<uint32_t> before = 0u;
    if_(local_id() >= step, [&] { before = part[local_id() - step]; });
    barrier();
    part[local_id()] += before;
  }
  barrier();
}

}  // namespace

CONFORMANCE_TEST(Corpus, SumOfAGroupByHalves) {
  const auto sums = kernel("sums", [](In<uint32_t> x, Out<uint32_t> out) {
                      const auto part = shared<uint32_t>(128);
                      part[local_id()] = x[global_id()];
                      reduce_group(part, 128);
                      if_(local_id() == 0u, [&] { out[group_id()] = part[0u]; });
                    }).with(group(128));
  const Words x = pattern(1280);
  const auto out = device.buffer<uint32_t>(10).value();
  if (!ran(device, sums, groups(10), device.upload(x).value(), out)) return;
  expect_each(device, out,
              [&](std::size_t g) { return std::accumulate(&x[g * 128], &x[g * 128] + 128, 0u); });
}

CONFORMANCE_TEST(Corpus, SumOfARaggedGrid) {
  const auto sums = kernel("sums", [](In<uint32_t> x, InOut<uint32_t> out) {
                      const auto part = shared<uint32_t>(64);
                      // Only items that exist write: those of the last group also for the others.
                      const auto items = min(element_count() - group_id() * 64u, 64u);
                      for_(local_id(), 64u, items, [&](const auto& k) { part[k] = 0u; });
                      barrier();
                      part[local_id()] = x[global_id()];
                      reduce_group(part, 64);
                      // The first item of every group exists.
                      if_(local_id() == 0u, [&] { (void)atomic_add(out, 0u, part[0u]); });
                    }).with(group(64));
  const Words x = pattern(1001);
  const auto out = device.buffer<uint32_t>(1).value();
  if (!ran(device, sums, 1001, device.upload(x).value(), out)) return;
  expect_each(device, out, [&](std::size_t) { return std::accumulate(x.begin(), x.end(), 0u); });
}

CONFORMANCE_TEST(Corpus, DotProductOfFloats) {
  const auto dot = kernel("dot", [](In<float> x, In<float> y, Out<float> out) {
                     const auto part = shared<float>(64);
                     Var<float> sum = 0.0f;
                     for_(local_id(), x.size(), 64u, [&](const auto& i) { sum += x[i] * y[i]; });
                     part[local_id()] = sum;
                     reduce_group(part, 64);
                     if_(local_id() == 0u, [&] { out[0u] = part[0u]; });
                   }).with(group(64));
  std::vector<float> x(3000), y(3000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 13) - 6;
    y[i] = static_cast<float>(i % 7) * 0.5f;  // sums are exact
  }
  const auto out = device.buffer<float>(1).value();
  if (!ran(device, dot, groups(1), device.upload(x).value(), device.upload(y).value(), out)) return;
  expect_each(device, out,
              [&](std::size_t) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0f); });
}

CONFORMANCE_TEST(Corpus, IndexOfTheLargest) {
  const auto largest =
      kernel("largest", [](In<uint32_t> x, Out<uint32_t> out) {
        const auto best = shared<uint32_t>(64);
        Var<uint32_t> at = local_id();
        for_(local_id(), x.size(), 64u, [&](const auto& i) { if_(x[i] > x[at], [&] { at = i; }); });
        best[local_id()] = at;
        for (uint32_t step = 32; step != 0; step /= 2) {
          barrier();
          if_(local_id() < step, [&] {
            const Var<uint32_t> other = best[local_id() + step];
            if_(x[other] > x[best[local_id()]], [&] { best[local_id()] = other; });
          });
        }
        barrier();
        if_(local_id() == 0u, [&] { out[0u] = best[0u]; });
      }).with(group(64));
  const Words x = pattern(777);
  const auto out = device.buffer<uint32_t>(1).value();
  if (!ran(device, largest, groups(1), device.upload(x).value(), out)) return;
  expect_each(device, out, [&](std::size_t) { return std::max_element(x.begin(), x.end()) - x.begin(); });
}

CONFORMANCE_TEST(Corpus, PrefixSumsOfGroups) {
  const auto scan = kernel("scan", [](In<uint32_t> x, Out<uint32_t> y) {
                      const auto part = shared<uint32_t>(64);
                      part[local_id()] = x[global_id()];
                      scan_group(part, 64);
                      y[global_id()] = part[local_id()];
                    }).with(group(64));
  const Words x = pattern(640);
  const auto y = device.buffer<uint32_t>(640).value();
  if (!ran(device, scan, 640, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) { return std::accumulate(&x[i / 64 * 64], &x[i] + 1, 0u); });
}

CONFORMANCE_TEST(Corpus, ExclusivePrefixSumsUpAndDownATree) {
  const auto scan =
      kernel("scan", [](In<uint32_t> x, Out<uint32_t> y) {
        const auto tree = shared<uint32_t>(128);
        const auto i = local_id();
        tree[i * 2u] = x[i * 2u];
        tree[i * 2u + 1u] = x[i * 2u + 1u];
        uint32_t offset = 1;
        for (uint32_t d = 64; d != 0; d /= 2, offset *= 2) {
          barrier();
          if_(i < d, [&] { tree[offset * (2u * i + 2u) - 1u] += tree[offset * (2u * i + 1u) - 1u]; });
        }
        barrier();
        if_(i == 0u, [&] { tree[127u] = 0u; });
        for (uint32_t d = 1; d < 128; d *= 2) {
          offset /= 2;
          barrier();
          if_(i < d, [&] {
            const auto a = offset * (2u * i + 1u) - 1u;
            const auto b = offset * (2u * i + 2u) - 1u;
            const Var<uint32_t> left = tree[a];
            tree[a] = tree[b];
            tree[b] += left;
          });
        }
        barrier();
        y[i * 2u] = tree[i * 2u];
        y[i * 2u + 1u] = tree[i * 2u + 1u];
      }).with(group(64));
  const Words x = pattern(128);
  const auto y = device.buffer<uint32_t>(128).value();
  if (!ran(device, scan, groups(1), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) { return std::accumulate(x.begin(), x.begin() + long(i), 0u); });
}

CONFORMANCE_TEST(Corpus, BitonicSortInSharedMemory) {
  const auto sort = kernel("sort", [](InOut<uint32_t> x) {
                      const auto tile = shared<uint32_t>(256);
                      const auto i = local_id();
                      tile[i] = x[global_id()];
                      for (uint32_t k = 2; k <= 256; k *= 2) {
                        for (uint32_t j = k / 2; j != 0; j /= 2) {
                          barrier();
                          const auto other = i ^ j;
                          if_(other > i, [&] {
                            const Var<uint32_t> a = tile[i];
                            const Var<uint32_t> b = tile[other];
                            if_((a > b) == ((i & k) == 0u), [&] {
                              tile[i] = b;
                              tile[other] = a;
                            });
                          });
                        }
                      }
                      barrier();
                      x[global_id()] = tile[i];
                    }).with(group(256));
  Words x = pattern(1024);
  const auto dx = device.upload(x).value();
  if (!ran(device, sort, 1024, dx)) return;
  for (std::size_t i = 0; i < 1024; i += 256) std::sort(&x[i], &x[i] + 256);
  expect_each(device, dx, [&](std::size_t i) { return x[i]; });
}

CONFORMANCE_TEST(Corpus, OneRoundOfOddEvenSort) {
  const auto round = kernel("round", [](InOut<int32_t> x, Value<uint32_t> odd) {
    const auto i = global_id() * 2u + odd;
    if_(i + 1u < x.size(), [&] {
      const Var<int32_t> a = x[i];
      const Var<int32_t> b = x[i + 1u];
      x[i] = min(a, b);
      x[i + 1u] = max(a, b);
    });
  });
  auto x = numbers<int32_t>(60);
  const auto dx = device.upload(x).value();
  for (uint32_t round_number = 0; round_number < 60; ++round_number) {
    if (!ran(device, round, 30, dx, round_number % 2)) return;
  }
  std::sort(x.begin(), x.end());
  expect_each(device, dx, [&](std::size_t i) { return x[i]; });
}

CONFORMANCE_TEST(Corpus, RanksByCounting) {
  const auto ranks = kernel("ranks", [](In<uint32_t> x, Out<uint32_t> sorted) {
    const auto i = global_id();
    Var<uint32_t> rank = 0u;
    for_(0u, x.size(), [&](const auto& k) {
      if_((x[k] < x[i]), [&] { rank += 1u; }).else_([&] {
        if_(x[k] == x[i], [&] { if_(k < i, [&] { rank += 1u; }); });
      });
    });
    sorted[rank] = x[i];
  });
  Words x = pattern(300);
  for (uint32_t& one : x) one %= 100;  // with equal ones
  const auto sorted = device.buffer<uint32_t>(300).value();
  if (!ran(device, ranks, 300, device.upload(x).value(), sorted)) return;
  std::sort(x.begin(), x.end());
  expect_each(device, sorted, [&](std::size_t i) { return x[i]; });
}

CONFORMANCE_TEST(Corpus, BinarySearch) {
  const auto search = kernel("search", [](In<uint32_t> sorted, In<uint32_t> wanted, Out<uint32_t> at) {
    const auto i = global_id();
    Var<uint32_t> low = 0u;
    Var<uint32_t> high = sorted.size();
    while_([&] { return low < high; },
           [&] {
             const Expr<uint32_t> middle = low + (high - low) / 2u;
             if_(sorted[middle] < wanted[i], [&] { low = middle + 1u; }).else_([&] { high = middle; });
           });
    at[i] = low;
  });
  Words sorted = pattern(1000);
  std::sort(sorted.begin(), sorted.end());
  const Words wanted = pattern(400, 2);
  const auto at = device.buffer<uint32_t>(400).value();
  if (!ran(device, search, 400, device.upload(sorted).value(), device.upload(wanted).value(), at)) return;
  expect_each(device, at, [&](std::size_t i) {
    return std::lower_bound(sorted.begin(), sorted.end(), wanted[i]) - sorted.begin();
  });
}

CONFORMANCE_TEST(Corpus, HistogramThroughSharedMemory) {
  const auto histogram = kernel("histogram", [](In<uint8_t> x, InOut<uint32_t> bins) {
                           const auto own = shared<uint32_t>(64);
                           own[local_id()] = 0u;
                           barrier();
                           (void)atomic_add(own, cast<uint32_t>(x[global_id()]) % 64u, 1u);
                           barrier();
                           (void)atomic_add(bins, local_id(), own[local_id()]);
                         }).with(group(64));
  const auto x = byte_pattern(64 * 40);
  const auto bins = device.buffer<uint32_t>(64).value();
  if (!ran(device, histogram, x.size(), device.upload(x).value(), bins)) return;
  expect_each(device, bins, [&](std::size_t b) {
    return std::count_if(x.begin(), x.end(), [&](uint8_t v) { return v % 64 == b; });
  });
}

CONFORMANCE_TEST(Corpus, CompactionKeepsTheOrder) {
  const auto compact = kernel("compact", [](In<uint32_t> x, Out<uint32_t> kept, Out<uint32_t> count) {
                         const auto flags = shared<uint32_t>(128);
                         const auto keep = x[local_id()] % 3u == 0u;
                         flags[local_id()] = cast<uint32_t>(keep);
                         scan_group(flags, 128);
                         if_(keep, [&] { kept[flags[local_id()] - 1u] = x[local_id()]; });
                         if_(local_id() == 127u, [&] { count[0u] = flags[127u]; });
                       }).with(group(128));
  const Words x = pattern(128);
  const auto kept = device.buffer<uint32_t>(128).value();
  const auto count = device.buffer<uint32_t>(1).value();
  if (!ran(device, compact, groups(1), device.upload(x).value(), kept, count)) return;
  Words wanted;
  std::copy_if(x.begin(), x.end(), std::back_inserter(wanted), [](uint32_t v) { return v % 3 == 0; });
  expect_each(device, count, [&](std::size_t) { return wanted.size(); });
  wanted.resize(128);
  expect_each(device, kept, [&](std::size_t i) { return wanted[i]; });
}

CONFORMANCE_TEST(Corpus, BreadthFirstSearch) {
  const auto step =
      kernel("step", [](In<uint32_t> first, In<uint32_t> edges, InOut<uint32_t> depth, Value<uint32_t> now) {
        const auto node = global_id();
        const Var<uint32_t> own = atomic_load(depth, node);
        if_(own == now, [&] {
          for_(first[node], first[node + 1u],
               [&](const auto& e) { (void)atomic_min(depth, edges[e], now + 1u); });
        });
      });
  static constexpr uint32_t kNodes = 100;
  Words first(kNodes + 1), edges;
  for (uint32_t n = 0; n < kNodes; ++n) {
    for (const uint32_t to : {n * 2 % kNodes, (n + 7) % kNodes}) edges.push_back(to);
    first[n + 1] = static_cast<uint32_t>(edges.size());
  }
  Words depth(kNodes, 1000);
  depth[3] = 0;
  const auto found = device.upload(depth).value();
  const auto starts = device.upload(first).value();
  const auto ends = device.upload(edges).value();
  for (uint32_t now = 0; now < 20; ++now) {
    if (!ran(device, step, kNodes, starts, ends, found, now)) return;
    for (uint32_t n = 0; n < kNodes; ++n) {
      for (uint32_t e = first[n]; depth[n] == now && e < first[n + 1]; ++e)
        depth[edges[e]] = std::min(depth[edges[e]], now + 1);
    }
  }
  expect_each(device, found, [&](std::size_t i) { return depth[i]; });
}

CONFORMANCE_TEST(Corpus, FloydWarshall) {
  static constexpr uint32_t kNodes = 24;
  const auto relax = kernel("relax", [](InOut<uint32_t> d, Value<uint32_t> k) {
                       const auto i = global_id(1);
                       const auto j = global_id(0);
                       const Expr<uint32_t> through = d[i * kNodes + k] + d[k * kNodes + j];
                       if_(i != k && j != k,
                           [&] { if_(through < d[i * kNodes + j], [&] { d[i * kNodes + j] = through; }); });
                     }).with(group(8, 8));
  Words d(kNodes * kNodes);
  for (uint32_t i = 0; i < d.size(); ++i) d[i] = i % (kNodes + 1) == 0 ? 0 : 1 + i * 2654435761u % 1000;
  const auto dd = device.upload(d).value();
  for (uint32_t k = 0; k < kNodes; ++k) {
    if (!ran(device, relax, elements(kNodes, kNodes), dd, k)) return;
    for (uint32_t i = 0; i < kNodes; ++i)
      for (uint32_t j = 0; j < kNodes; ++j)
        d[i * kNodes + j] = std::min(d[i * kNodes + j], d[i * kNodes + k] + d[k * kNodes + j]);
  }
  expect_each(device, dd, [&](std::size_t i) { return d[i]; });
}

CONFORMANCE_TEST(Corpus, GameOfLife) {
  static constexpr uint32_t kSide = 32;
  const auto live = kernel("live", [](In<uint8_t> now, Out<uint8_t> next) {
                      Var<uint32_t> around = 0u;
                      for (uint32_t dy = 0; dy < 3; ++dy) {
                        for (uint32_t dx = 0; dx < 3; ++dx) {
                          if (dx == 1 && dy == 1) continue;
                          const auto x = (global_id(0) + (kSide - 1 + dx)) % kSide;
                          const auto y = (global_id(1) + (kSide - 1 + dy)) % kSide;
                          around += cast<uint32_t>(now[y * kSide + x]);
                        }
                      }
                      const auto i = global_id(1) * kSide + global_id(0);
                      next[i] = cast<uint8_t>((around | cast<uint32_t>(now[i])) == 3u);
                    }).with(group(16, 4));
  auto cells = byte_pattern(kSide * kSide);
  for (uint8_t& cell : cells) cell = cell % 3 == 0 ? 1 : 0;
  const auto next = device.buffer<uint8_t>(cells.size()).value();
  if (!ran(device, live, elements(kSide, kSide), device.upload(cells).value(), next)) return;
  expect_each(device, next, [&](std::size_t i) {
    uint32_t around = 0;
    for (uint32_t dy = 0; dy < 3; ++dy)
      for (uint32_t dx = 0; dx < 3; ++dx)
        around += cells[(i / kSide + kSide - 1 + dy) % kSide * kSide + (i % kSide + kSide - 1 + dx) % kSide];
    around -= cells[i];
    return around == 3 || (around == 2 && cells[i] == 1) ? 1 : 0;
  });
}

}  // namespace conformance
