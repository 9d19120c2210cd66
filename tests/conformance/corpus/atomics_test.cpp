// Corpus: atomic operations of every kind, on buffers and on workgroup memory, and what subgroups do.

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

// Every kind, each on its own element of a buffer.
template <class T>
void every_kind_on_a_buffer(Device& device) {
  const auto all = kernel("atomics", [](In<T> x, InOut<T> to) {
    const Expr<T> v = x[global_id()];
    (void)atomic_add(to, 0u, v);
    (void)atomic_sub(to, 1u, v);
    (void)atomic_min(to, 2u, v);
    (void)atomic_max(to, 3u, v);
    (void)atomic_and(to, 4u, v | T{3});
    (void)atomic_or(to, 5u, v & T{12});
    (void)atomic_xor(to, 6u, v);
  });
  const auto x = numbers<T>(1000);
  const std::vector<T> start{
      0, 0, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), static_cast<T>(-1), 0, 0};
  const auto to = device.upload(start).value();
  if (!ran(device, all, x.size(), device.upload(x).value(), to)) return;
  std::vector<T> want = start;
  using U = std::make_unsigned_t<T>;
  for (const T v : x) {
    want[0] = static_cast<T>(static_cast<U>(want[0]) + static_cast<U>(v));
    want[1] = static_cast<T>(static_cast<U>(want[1]) - static_cast<U>(v));
    want[2] = std::min(want[2], v);
    want[3] = std::max(want[3], v);
    want[4] &= v | T{3};
    want[5] |= v & T{12};
    want[6] ^= v;
  }
  expect_each(device, to, [&](std::size_t i) { return want[i]; });
}

template <class T>
void every_kind_on_shared_memory(Device& device) {
  const auto all = kernel("atomics", [](In<T> x, Out<T> out) {
                     const auto to = shared<T>(7);
                     if_(local_id() == 0u, [&] {
                       for (uint32_t i = 0; i < 7; ++i) to[i] = T{0};
                       to[2u] = std::numeric_limits<T>::max();
                       to[3u] = std::numeric_limits<T>::min();
                       to[4u] = static_cast<T>(-1);
                     });
                     barrier();
                     const Expr<T> v = x[global_id()];
                     (void)atomic_add(to, 0u, v);
                     (void)atomic_sub(to, 1u, v);
                     (void)atomic_min(to, 2u, v);
                     (void)atomic_max(to, 3u, v);
                     (void)atomic_and(to, 4u, v | T{3});
                     (void)atomic_or(to, 5u, v & T{12});
                     (void)atomic_xor(to, 6u, v);
                     barrier();
                     if_(local_id() < 7u, [&] { out[group_id() * 7u + local_id()] = to[local_id()]; });
                   }).with(group(64));
  const auto x = numbers<T>(256);
  const auto out = device.buffer<T>(28).value();
  if (!ran(device, all, 256, device.upload(x).value(), out)) return;
  using U = std::make_unsigned_t<T>;
  expect_each(device, out, [&](std::size_t at) {
    T want[7] = {0, 0, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), static_cast<T>(-1),
                 0, 0};
    for (std::size_t i = at / 7 * 64; i < at / 7 * 64 + 64; ++i) {
      want[0] = static_cast<T>(static_cast<U>(want[0]) + static_cast<U>(x[i]));
      want[1] = static_cast<T>(static_cast<U>(want[1]) - static_cast<U>(x[i]));
      want[2] = std::min(want[2], x[i]);
      want[3] = std::max(want[3], x[i]);
      want[4] &= x[i] | T{3};
      want[5] |= x[i] & T{12};
      want[6] ^= x[i];
    }
    return want[at % 7];
  });
}

// Quarters, so that sums are exact in any order.
template <class T>
std::vector<T> quarters(std::size_t count) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i)
    made[i] = static_cast<T>(static_cast<int>(i * 37 % 2001) - 1000) / 4;
  return made;
}

template <class T>
void float_atomics_on_a_buffer(Device& device) {
  const auto all = kernel("atomics", [](In<T> x, InOut<T> to, Value<T> none) {
    const Expr<T> v = x[global_id()];
    (void)atomic_add(to, 0u, v);
    (void)atomic_sub(to, 1u, v);
    (void)atomic_min(to, 2u, v);
    (void)atomic_max(to, 3u, v);
    const Var<T> before = atomic_exchange(to, 4u, v);
    (void)atomic_add(to, 5u, before);
    (void)atomic_max(to, 6u, none);             // NaN changes nothing
    (void)atomic_add(to, global_id() + 7u, v);  // one element, and beyond the end nothing happens
  });
  const auto x = quarters<T>(1000);
  const std::vector<T> start{0, 0, 5, -5, 100, 0, 1, 0};
  const auto to = device.upload(start).value();
  const T none = std::numeric_limits<T>::quiet_NaN();
  if (!ran(device, all, x.size(), device.upload(x).value(), to, none)) return;
  const std::vector<T> got = read(device, to);
  const T sum = std::accumulate(x.begin(), x.end(), T{0});
  EXPECT_EQ(got[0], sum);
  EXPECT_EQ(got[1], -sum);
  EXPECT_EQ(got[2], *std::ranges::min_element(x));
  EXPECT_EQ(got[3], *std::ranges::max_element(x));
  EXPECT_EQ(got[4] + got[5], sum + 100);
  EXPECT_EQ(got[6], 1);
  EXPECT_EQ(got[7], x[0]);
}

template <class T>
void float_atomics_on_shared_memory(Device& device) {
  const auto all = kernel("atomics", [](In<T> x, Out<T> out) {
                     const auto to = shared<T>(4);
                     if_(local_id() < 4u, [&] { to[local_id()] = T{0}; });
                     barrier();
                     const Expr<T> v = x[global_id()];
                     (void)atomic_add(to, 0u, v);
                     (void)atomic_sub(to, 1u, v);
                     (void)atomic_min(to, 2u, v);
                     (void)atomic_max(to, 3u, v);
                     barrier();
                     if_(local_id() < 4u, [&] { out[group_id() * 4u + local_id()] = to[local_id()]; });
                   }).with(group(64));
  const auto x = quarters<T>(256);
  const auto out = device.buffer<T>(16).value();
  if (!ran(device, all, 256, device.upload(x).value(), out)) return;
  expect_each(device, out, [&](std::size_t at) {
    T want[4] = {};
    for (std::size_t i = at / 4 * 64; i < at / 4 * 64 + 64; ++i) {
      want[0] += x[i];
      want[1] -= x[i];
      want[2] = std::min(want[2], x[i]);
      want[3] = std::max(want[3], x[i]);
    }
    return want[at % 4];
  });
}

}  // namespace

CONFORMANCE_TEST(Corpus, AtomicsOfU32OnABuffer) { every_kind_on_a_buffer<uint32_t>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOfI32OnABuffer) { every_kind_on_a_buffer<int32_t>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOfU64OnABuffer) { every_kind_on_a_buffer<uint64_t>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOfI64OnABuffer) { every_kind_on_a_buffer<int64_t>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOfU32OnSharedMemory) { every_kind_on_shared_memory<uint32_t>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOfI32OnSharedMemory) { every_kind_on_shared_memory<int32_t>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOfU64OnSharedMemory) { every_kind_on_shared_memory<uint64_t>(device); }

CONFORMANCE_TEST(Corpus, AtomicsOfF32OnABuffer) { float_atomics_on_a_buffer<float>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOnABufferInDoubles) { float_atomics_on_a_buffer<double>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOfF32OnSharedMemory) { float_atomics_on_shared_memory<float>(device); }
CONFORMANCE_TEST(Corpus, AtomicsOnSharedMemoryInDoubles) { float_atomics_on_shared_memory<double>(device); }

CONFORMANCE_TEST(Corpus, TicketsAreHandedOutOnce) {
  const auto tickets = kernel("tickets", [](InOut<uint32_t> next, InOut<uint32_t> seen) {
    const Var<uint32_t> ticket = atomic_add(next, 0u, 1u);
    seen[ticket] = seen[ticket] + 1u;
  });
  const auto next = device.buffer<uint32_t>(1).value();
  const auto seen = device.buffer<uint32_t>(5000).value();
  if (!ran(device, tickets, 5000, next, seen)) return;
  expect_each(device, seen, [](std::size_t) { return 1; });
}

CONFORMANCE_TEST(Corpus, ExchangesLoseNothing) {
  const auto pass = kernel("pass", [](InOut<uint32_t> slot, InOut<uint32_t> sum) {
    const Var<uint32_t> before = atomic_exchange(slot, 0u, global_id() + 1u);
    (void)atomic_add(sum, 0u, before);
  });
  const auto slot = device.buffer<uint32_t>(1).value();
  const auto sum = device.buffer<uint32_t>(1).value();
  if (!ran(device, pass, 1000, slot, sum)) return;
  const uint32_t last = read(device, slot)[0];
  expect_each(device, sum, [&](std::size_t) { return 1000 * 1001 / 2 - last; });
}

CONFORMANCE_TEST(Corpus, CompareExchangeLoopsMakeOtherAtomics) {
  const auto sums = kernel("sums", [](In<float> x, InOut<uint32_t> sum) {
    const auto bin = global_id() % 4u;
    Var<uint32_t> seen = atomic_load(sum, bin);
    while_([&] { return Expr<bool>(true); },
           [&] {
             const Expr<uint32_t> wanted = bit_cast<uint32_t>(bit_cast<float>(seen) + x[global_id()]);
             const Var<uint32_t> found = atomic_compare_exchange(sum, bin, seen, wanted);
             if_(found == seen, [] { break_(); });
             seen = found;
           });
  });
  std::vector<float> x(512);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 100);  // sums are exact
  const auto sum = device.buffer<uint32_t>(4).value();
  if (!ran(device, sums, x.size(), device.upload(x).value(), sum)) return;
  expect_each(device, sum, [&](std::size_t bin) {
    float total = 0;
    for (std::size_t i = bin; i < x.size(); i += 4) total += x[i];
    return std::bit_cast<uint32_t>(total);
  });
}

// The first half of the groups writes a word and then marks it; the others read a word where they find its
// mark.
CONFORMANCE_TEST(Corpus, WhatWasStoredBeforeAReleaseIsSeenAfterTheAcquire) {
  static constexpr uint32_t kPairs = 1 << 14;
  const auto pass =
      kernel("pass", [](InOut<uint32_t> word, InOut<uint32_t> mark, InOut<uint32_t> seen,
                        InOut<uint32_t> torn) {
        const auto i = global_id();
        if_(i < kPairs, [&] {
          word[i] = i + 1u;
          atomic_store(mark, i, i + 7u);
        }).else_([&] {
          const auto other = i - kPairs;
          const Var<uint32_t> found = atomic_load(mark, other);
          if_(found != 0u, [&] {
            (void)atomic_add(seen, 0u, 1u);
            if_(word[other] != other + 1u || found != other + 7u, [&] { (void)atomic_add(torn, 0u, 1u); });
          });
        });
      }).with(group(64));
  const auto word = device.buffer<uint32_t>(kPairs).value();
  const auto mark = device.buffer<uint32_t>(kPairs).value();
  const auto seen = device.buffer<uint32_t>(1).value();
  const auto torn = device.buffer<uint32_t>(1).value();
  if (!ran(device, pass, 2 * kPairs, word, mark, seen, torn)) return;
  EXPECT_EQ(read(device, torn)[0], 0u) << "of " << read(device, seen)[0];
  expect_each(device, mark, [](std::size_t i) { return static_cast<uint32_t>(i) + 7u; });
}

CONFORMANCE_TEST(Corpus, ReleaseAndAcquireOnSharedMemory) {
  const auto pass = kernel("pass", [](Out<uint32_t> out) {
                      const auto mark = shared<uint32_t>(64);
                      atomic_store(mark, local_id(), global_id() * 3u);
                      barrier();
                      const Var<uint32_t> found = atomic_load(mark, 63u - local_id());
                      out[global_id()] = found;
                    }).with(group(64));
  const auto out = device.buffer<uint32_t>(128).value();
  if (!ran(device, pass, 128, out)) return;
  expect_each(device, out,
              [](std::size_t i) { return static_cast<uint32_t>((i / 64 * 64 + 63 - i % 64) * 3); });
}

CONFORMANCE_TEST(Corpus, LastGroupFinishesTheSum) {
  const auto total =
      kernel("total", [](In<uint32_t> x, InOut<uint32_t> parts, InOut<uint32_t> done, Out<uint32_t> out) {
        const auto part = shared<uint32_t>(1);
        if_(local_id() == 0u, [&] { part[0u] = 0u; });
        barrier();
        (void)atomic_add(part, 0u, x[global_id()]);
        barrier();
        if_(local_id() == 0u, [&] {
          (void)atomic_add(parts, 0u, part[0u]);
          fence(FenceScope::device);
          const Var<uint32_t> before = atomic_add(done, 0u, 1u);
          if_(before == group_count() - 1u, [&] {
            const Var<uint32_t> all = atomic_add(parts, 0u, 0u);
            out[0u] = all;
          });
        });
      }).with(group(64));
  const Words x = pattern(64 * 20);
  const auto parts = device.buffer<uint32_t>(1).value();
  const auto done = device.buffer<uint32_t>(1).value();
  const auto out = device.buffer<uint32_t>(1).value();
  if (!ran(device, total, x.size(), device.upload(x).value(), parts, done, out)) return;
  expect_each(device, out, [&](std::size_t) { return std::accumulate(x.begin(), x.end(), 0u); });
}

namespace {

// Lanes of each subgroup in their order, as the kernel itself reported them: by[item] = subgroup << 16 |
// lane.
std::vector<std::vector<std::size_t>> subgroups_of(const Words& by, std::size_t group) {
  std::vector<std::vector<std::size_t>> found;
  for (std::size_t first = 0; first < by.size(); first += group) {
    std::map<uint32_t, std::size_t> items;
    for (std::size_t i = first; i < first + group; ++i) items[by[i]] = i;
    EXPECT_EQ(items.size(), group) << "two items are the same lane of a subgroup";
    uint32_t last = ~0u;
    for (const auto& [key, item] : items) {
      if (key >> 16 != last) found.emplace_back();
      last = key >> 16;
      found.back().push_back(item);
    }
  }
  return found;
}

// Runs `body`, a value of x made by lanes together, and compares it with want(values of the subgroup, lane).
template <class T, class Body, class Want>
void subgroup_kernel(Device& device, const Body& body, const Want& want) {
  const auto together = kernel("together", [&](In<T> x, Out<T> y, Out<uint32_t> by, Out<uint32_t> size) {
                          const auto i = global_id();
                          y[i] = body(x[i]);
                          by[i] = subgroup_id() << 16 | subgroup_lane();
                          size[i] = subgroup_size();
                        }).with(group(64));
  const auto x = numbers<T>(256);
  const auto y = device.buffer<T>(256).value();
  const auto by = device.buffer<uint32_t>(256).value();
  const auto size = device.buffer<uint32_t>(256).value();
  if (!ran(device, together, groups(4), device.upload(x).value(), y, by, size)) return;
  const std::vector<T> got = read(device, y);
  const Words sizes = read(device, size);
  for (const auto& lanes : subgroups_of(read(device, by), 64)) {
    std::vector<T> values;
    for (const std::size_t item : lanes) values.push_back(x[item]);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      ASSERT_GE(sizes[lanes[lane]], lanes.size());
      ASSERT_EQ(got[lanes[lane]], want(values, lane)) << "lane " << lane << " of " << lanes.size();
    }
  }
}

template <class T>
T wrapped_sum(const std::vector<T>& values, std::size_t count) {
  uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<uint64_t>(values[i]);
  return static_cast<T>(sum);
}

}  // namespace

CONFORMANCE_TEST(Corpus, SubgroupSums) {
  subgroup_kernel<uint32_t>(
      device, [](const auto& x) { return subgroup_add(x); },
      [](const auto& all, std::size_t) { return wrapped_sum(all, all.size()); });
}

CONFORMANCE_TEST(Corpus, SubgroupSumsOf64Bits) {
  subgroup_kernel<int64_t>(
      device, [](const auto& x) { return subgroup_add(x); },
      [](const auto& all, std::size_t) { return wrapped_sum(all, all.size()); });
}

CONFORMANCE_TEST(Corpus, SubgroupScans) {
  subgroup_kernel<int32_t>(
      device, [](const auto& x) { return subgroup_scan_add(x); },
      [](const auto& all, std::size_t lane) { return wrapped_sum(all, lane + 1); });
}

CONFORMANCE_TEST(Corpus, SubgroupMinimaAndMaxima) {
  subgroup_kernel<float>(
      device, [](const auto& x) { return subgroup_max(x) - subgroup_min(x); },
      [](const auto& all, std::size_t) {
        return *std::max_element(all.begin(), all.end()) - *std::min_element(all.begin(), all.end());
      });
}

CONFORMANCE_TEST(Corpus, SubgroupVotes) {
  subgroup_kernel<uint32_t>(
      device,
      [](const auto& x) {
        const Expr<bool> small = x < (1u << 29);
        return select(subgroup_any(small), 1u, Expr<uint32_t>(0u)) +
               select(subgroup_all(!small), 2u, Expr<uint32_t>(0u));
      },
      [](const auto& all, std::size_t) {
        return std::any_of(all.begin(), all.end(), [](uint32_t x) { return x < (1u << 29); }) ? 1u : 2u;
      });
}

CONFORMANCE_TEST(Corpus, SubgroupBroadcasts) {
  subgroup_kernel<uint16_t>(
      device, [](const auto& x) { return subgroup_broadcast_first(x); },
      [](const auto& all, std::size_t) { return all[0]; });
}

CONFORMANCE_TEST(Corpus, SubgroupShuffles) {
  subgroup_kernel<uint32_t>(
      device, [](const auto& x) { return subgroup_shuffle(x, subgroup_lane() ^ 1u); },
      [](const auto& all, std::size_t lane) { return all[lane ^ 1]; });
}

}  // namespace conformance
