// Kernels of the kernel language, traced once and run on every device.

#include <algorithm>
#include <bit>
#include <cmath>
#include <collet/collet.hpp>
#include <numeric>

#include "conformance/conformance.hpp"

namespace conformance {
using namespace collet;
namespace {

template <class T>
std::vector<T> counted(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{1});
  return values;
}

}  // namespace

CONFORMANCE_TEST(Language, SaxpyOverARaggedGrid) {
  const auto saxpy = kernel("saxpy", [](In<float> x, InOut<float> y, Value<float> a) {
    const auto i = global_id();
    y[i] = a * x[i] + y[i];
  });
  const std::size_t n = 1000;  // no multiple of the group
  const auto x = counted<float>(n);
  auto y = counted<float>(n + 24);
  const auto dx = device.upload(x).value();
  const auto dy = device.upload(y).value();
  auto stream = device.stream();
  stream.launch(saxpy, n, dx, dy, 3.0f);
  std::vector<float> got(y.size());
  stream.download(dy, std::span(got));
  ASSERT_OK(stream.wait());
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_EQ(got[i], i < n ? 3.0f * x[i] + y[i] : y[i]) << i;
  }
}

CONFORMANCE_TEST(Language, SharedMemoryAndBarriersReduceAGroup) {
  const auto reduce = kernel("reduce", [](In<std::uint32_t> x, Out<std::uint32_t> sums) {
                        const auto local = local_id();
                        const auto part = shared<std::uint32_t>(64);
                        part[local] = x[global_id()];
                        barrier();
                        for (std::uint32_t step = 32; step != 0; step /= 2) {
                          if_(local < step, [&] { part[local] = part[local] + part[local + step]; });
                          barrier();
                        }
                        if_(local == 0u, [&] { sums[group_id()] = part[0u]; });
                      }).with(group(64));
  const auto x = counted<std::uint32_t>(256);
  const auto dx = device.upload(x).value();
  const auto sums = device.buffer<std::uint32_t>(4).value();
  auto stream = device.stream();
  stream.launch(reduce, groups(4), dx, sums);
  std::vector<std::uint32_t> got(4);
  stream.download(sums, std::span(got));
  ASSERT_OK(stream.wait());
  for (std::size_t g = 0; g < 4; ++g) {
    EXPECT_EQ(got[g], std::accumulate(x.begin() + g * 64, x.begin() + (g + 1) * 64, 0u)) << g;
  }
}

// The last group of these launches has 64 items, of which 36 exist.
CONFORMANCE_TEST(Language, ItemsThatDoNotExistRunAlongWhereItemsMeet) {
  const auto mirror =
      kernel("mirror", [](In<std::uint32_t> x, Out<std::uint32_t> y, Out<std::uint32_t> counts) {
        const auto local = local_id();
        const auto part = shared<std::uint32_t>(64);
        const auto count = shared<std::uint32_t>(1);
        count[0u] = 0u;
        barrier();
        part[local] = x[global_id()] + local;
        (void)atomic_add(count, 0u, 1u);
        barrier();
        y[global_id()] = part[63u - local];
        if_(local == 0u, [&] { counts[group_id()] = count[0u]; });
      }).with(group(64));
  constexpr std::uint32_t kItems = 100;
  const auto x = counted<std::uint32_t>(128);
  const auto dx = device.upload(x).value();
  const auto dy = device.upload(std::vector<std::uint32_t>(128, 7)).value();
  auto stream = device.stream();
  const auto counts = device.buffer<std::uint32_t>(2).value();
  stream.launch(mirror, kItems, dx, dy, counts);
  ASSERT_OK(stream.wait());
  std::vector<std::uint32_t> want(128, 7);
  for (std::uint32_t i = 0; i < kItems; ++i) {
    const std::uint32_t other = i / 64 * 64 + 63 - i % 64;
    want[i] = (other < kItems ? x[other] : 0) + 63 - i % 64;  // 0: what an item that does not exist reads
  }
  EXPECT_EQ(read(device, dy), want);
  EXPECT_EQ(read(device, counts), (std::vector<std::uint32_t>{64, 36}));
}

CONFORMANCE_TEST(Language, WhatAGroupReadsTogetherHoldsForItemsThatDoNotExist) {
  const auto turn = kernel("turn", [](In<std::uint32_t> rounds, Out<std::uint32_t> y) {
                      const auto local = local_id();
                      const auto part = shared<std::uint32_t>(64);
                      part[local] = local;
                      for_(0u, rounds[0u], [&](Expr<std::uint32_t>) {
                        barrier();
                        const Var<std::uint32_t> next = part[(local + 1u) % 64u];
                        barrier();
                        part[local] = next + 1u;
                      });
                      y[global_id()] = part[local];
                    }).with(group(64));
  const auto rounds = device.upload(std::vector<std::uint32_t>{40}).value();
  const auto y = device.buffer<std::uint32_t>(100).value();
  auto stream = device.stream();
  stream.launch(turn, 100, rounds, y);
  ASSERT_OK(stream.wait());
  std::vector<std::uint32_t> want(100);
  for (std::uint32_t i = 0; i < want.size(); ++i) want[i] = (i % 64 + 40) % 64 + 40;
  EXPECT_EQ(read(device, y), want);
}

CONFORMANCE_TEST(Language, LoopsBranchesAndTotalArithmetic) {
  const auto collatz =
      kernel("collatz", [](In<std::uint32_t> x, Out<std::uint32_t> steps, Out<std::int32_t> odd) {
        const auto i = global_id();
        Var<std::uint32_t> n = x[i];
        Var<std::uint32_t> count = 0u;
        while_([&] { return n != 1u; },
               [&] {
                 if_((n & 1u) == 0u, [&] { n = n / 2u; }).else_([&] { n = n * 3u + 1u; });
                 count += 1u;
                 if_(count > 500u, [] { break_(); });
               });
        steps[i] = count;
        // x / 0 is x, and a shift uses the low bits of its right side.
        const auto signed_value = cast<std::int32_t>(x[i]);
        odd[i] = signed_value / (signed_value - signed_value) + (signed_value << 33);
      });
  const auto x = counted<std::uint32_t>(200);
  const auto dx = device.upload(x).value();
  const auto steps = device.buffer<std::uint32_t>(200).value();
  const auto odd = device.buffer<std::int32_t>(200).value();
  auto stream = device.stream();
  stream.launch(collatz, 200, dx, steps, odd);
  std::vector<std::uint32_t> got(200);
  std::vector<std::int32_t> got_odd(200);
  stream.download(steps, std::span(got));
  stream.download(odd, std::span(got_odd));
  ASSERT_OK(stream.wait());
  for (std::uint32_t i = 0; i < 200; ++i) {
    std::uint32_t n = x[i];
    std::uint32_t count = 0;
    for (; n != 1; ++count) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ASSERT_EQ(got[i], count) << x[i];
    ASSERT_EQ(got_odd[i], static_cast<std::int32_t>(x[i] + 2 * x[i])) << x[i];
  }
}

CONFORMANCE_TEST(Language, RangesSumRows) {
  const auto rows =
      kernel("rows", [](In<std::uint32_t> x, Out<std::uint32_t> sums, Value<std::uint32_t> width) {
        const auto row = global_id();
        Var<std::uint32_t> sum = 0u;
        for_(0u, width, [&](auto k) { sum += x[row * width + k]; });
        for_(0u, width, 3u, [&](auto k) { sum += k; });
        sums[row] = sum;
      });
  const std::uint32_t width = 37;
  const auto x = counted<std::uint32_t>(100 * width);
  const auto dx = device.upload(x).value();
  const auto sums = device.buffer<std::uint32_t>(100).value();
  auto stream = device.stream();
  stream.launch(rows, 100, dx, sums, width);
  std::vector<std::uint32_t> got(100);
  stream.download(sums, std::span(got));
  ASSERT_OK(stream.wait());
  std::uint32_t steps = 0;
  for (std::uint32_t k = 0; k < width; k += 3) steps += k;
  for (std::size_t row = 0; row < 100; ++row) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(row * width);
    EXPECT_EQ(got[row], std::accumulate(begin, begin + width, steps)) << row;
  }
}

CONFORMANCE_TEST(Language, AtomicsCountAcrossGroups) {
  const auto histogram = kernel("histogram", [](In<std::uint32_t> x, InOut<std::uint32_t> bins) {
    (void)atomic_add(bins, x[global_id()] % bins.size(), 1u);
  });
  const auto x = counted<std::uint32_t>(10'000);
  const auto dx = device.upload(x).value();
  const auto bins = device.buffer<std::uint32_t>(7).value();
  auto stream = device.stream();
  stream.launch(histogram, x.size(), dx, bins);
  std::vector<std::uint32_t> got(7);
  stream.download(bins, std::span(got));
  ASSERT_OK(stream.wait());
  for (std::uint32_t b = 0; b < 7; ++b) {
    EXPECT_EQ(got[b], static_cast<std::uint32_t>(
                          std::count_if(x.begin(), x.end(), [&](auto v) { return v % 7 == b; })));
  }
}

// More groups than many drivers run at once, along each dimension.
CONFORMANCE_TEST(Language, GridsBeyondADriversLimitsAreWhole) {
  constexpr std::uint32_t kGroups = 2 * 65'535 + 3;
  const auto where = kernel("where", [](InOut<std::uint32_t> seen, Out<std::uint32_t> counts) {
    const auto group = (group_id(2) * group_count(1) + group_id(1)) * group_count(0) + group_id(0);
    const auto item = (global_id(2) * element_count(1) + global_id(1)) * element_count(0) + global_id(0);
    (void)atomic_add(seen, item, 1u);
    (void)atomic_add(seen, group, 1u);
    if_(item == element_count(0) * element_count(1) * element_count(2) - 1u, [&] {
      for (std::uint32_t d = 0; d < 3; ++d) {
        counts[d] = group_count(d);
        counts[3 + d] = element_count(d);
        counts[6 + d] = group_id(d);
      }
    });
  });
  for (std::uint32_t d = 0; d < 3; ++d) {
    std::array<std::uint32_t, 3> size{1, 1, 1};
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    size[d] = 2;
    grid[d] = 2 * kGroups - 1;  // the last group is ragged
    const auto seen = device.buffer<std::uint32_t>(2 * kGroups).value();
    const auto counts = device.buffer<std::uint32_t>(9).value();
    auto stream = device.stream();
    stream.launch(where.with(group(size[0], size[1], size[2])), elements(grid[0], grid[1], grid[2]), seen,
                  counts);
    const auto done = stream.wait();
    ASSERT_OK(done);
    EXPECT_EQ(done->launch_count, 1u);
    std::vector<std::uint32_t> want(2 * kGroups, 1);
    for (std::uint32_t i = 0; i < kGroups - 1; ++i)
      want[i] = 3;  // both items of the group, and the item itself
    want[kGroups - 1] = 2;
    want.back() = 0;
    EXPECT_TRUE(read(device, seen) == want) << "dimension " << d;
    std::vector<std::uint32_t> wanted{1, 1, 1, 1, 1, 1, 0, 0, 0};
    wanted[d] = kGroups;
    wanted[3 + d] = 2 * kGroups - 1;
    wanted[6 + d] = kGroups - 1;
    EXPECT_EQ(read(device, counts), wanted) << "dimension " << d;
  }
}

// Some drivers leave loops after 65,535 rounds, all loops together, and say nothing.
CONFORMANCE_TEST(Language, LongLoopsAreRightOrFailWithTheKernelsName) {
  const auto sum =
      kernel("long_sum", [](Out<std::uint32_t> out, Value<std::uint32_t> outer, Value<std::uint32_t> inner) {
        Var<std::uint32_t> total = global_id();
        for_(0u, outer, [&](const auto&) {
          for_(0u, inner,
               [&](const auto& k) { if_(k != global_id() + 1'000'000u, [&] { total = total * 3u + k; }); });
        });
        out[global_id()] = total;
      });
  for (const auto& [outer, inner] : {std::pair{1u, 65'000u}, {1u, 65'536u}, {300u, 300u}, {100'000u, 1u}}) {
    const auto out = device.buffer<std::uint32_t>(10).value();
    auto stream = device.stream();
    stream.launch(sum, 10, out, outer, inner);
    const auto done = stream.wait();
    if (!done) {
      expect_error(done, ErrorCode::unsupported, {"long_sum", "rounds of its loops"});
      EXPECT_GE(outer * inner, 65'535u) << "refused too early";
      EXPECT_OK(stream.wait());  // told once
      continue;
    }
    std::vector<std::uint32_t> want(10);
    for (std::uint32_t i = 0; i < 10; ++i) {
      want[i] = i;
      for (std::uint32_t a = 0; a < outer; ++a)
        for (std::uint32_t k = 0; k < inner; ++k) want[i] = want[i] * 3 + k;
    }
    EXPECT_EQ(read(device, out), want) << outer << " x " << inner;
  }
}

// As above, where a cut is easily missed: items that leave the kernel behind it, loops of some items only,
// groups of one item.
CONFORMANCE_TEST(Language, LongLoopsOfSomeItemsAreRightOrFail) {
  using Out32 = Out<std::uint32_t>;
  using Value32 = Value<std::uint32_t>;
  // The last of 10^9 outer rounds is never reached.
  const auto leaves = [](Out32 out, Value32 rounds) {
    Var<std::uint32_t> total = global_id();
    for_(0u, 1'000'000'000u, [&](const auto& outer) {
      for_(0u, rounds, [&](const auto& k) { total = total * 3u + k; });
      if_(outer == 1u, [&] {
        out[global_id()] = total;
        return_();
      });
    });
  };
  const auto in_turn = [](Out32 out, Value32 rounds) {
    Var<std::uint32_t> total = global_id();
    const auto run = [&] { for_(0u, rounds, [&](const auto& k) { total = total * 3u + k; }); };
    if_(global_id() % 2u == 0u, run).else_(run);
    run();
    out[global_id()] = total;
  };
  const auto alone = kernel("cut_alone", in_turn).with(group(1));
  const auto want = [](std::uint32_t item, std::uint32_t rounds) {
    std::uint32_t total = item;
    for (int twice = 0; twice < 2; ++twice)
      for (std::uint32_t k = 0; k < rounds; ++k) total = total * 3 + k;
    return total;
  };
  for (const auto& cut : {kernel("cut_leaves", leaves), kernel("cut_in_turn", in_turn), alone}) {
    for (const std::uint32_t rounds : {10'000u, 30'000u, 60'000u, 90'000u}) {
      const auto out = device.buffer<std::uint32_t>(10).value();
      auto stream = device.stream();
      stream.launch(cut, 10, out, rounds);
      if (const auto done = stream.wait(); !done) {
        expect_error(done, ErrorCode::unsupported, {"cut_", "rounds of its loops"});
        EXPECT_GE(rounds, 20'000u) << "refused too early";
        continue;
      }
      const auto got = read(device, out);
      for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(got[i], want(i, rounds)) << i << " of " << rounds;
    }
  }
}

CONFORMANCE_TEST(Language, ZerosInTheCodeAreNumbersLikeOthers) {
  const auto zeros = kernel("with_zeros", [](In<float> x, Out<float> out) {
    const auto i = global_id();
    const auto at = i * 6u;
    out[at] = x[i] + 0.0f;
    out[at + 1u] = x[i] * 0.0f;
    out[at + 2u] = -0.0f * x[i];
    out[at + 3u] = 0.0f - x[i];
    out[at + 4u] = 0.0f / x[i];
    out[at + 5u] = x[i] - x[i];
  });
  const std::vector<float> x{-0.0f, 0.0f, -5.0f, 3.0f, INFINITY, -INFINITY, NAN};
  std::vector<float> want;
  for (const float one : x) {
    for (const float result : {one + 0.0f, one * 0.0f, -0.0f * one, 0.0f - one, 0.0f / one, one - one})
      want.push_back(result);
  }
  const auto from = device.upload(x).value();
  const auto to = device.buffer<float>(want.size()).value();
  auto stream = device.stream();
  stream.launch(zeros, x.size(), from, to);
  ASSERT_OK(stream.wait());
  const auto got = read(device, to);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::isnan(want[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << i;
    } else {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(want[i])) << i;
    }
  }
}

CONFORMANCE_TEST(Language, KernelsMayHaveTheNameOfAFunction) {
  for (const char* name : {"mix", "dot", "kernel", "main"}) {
    const auto named = kernel(name, [](Out<std::uint32_t> out) { out[global_id()] = global_id(); });
    const auto out = device.buffer<std::uint32_t>(3).value();
    auto stream = device.stream();
    stream.launch(named, 3, out);
    ASSERT_OK(stream.wait()) << name;
    EXPECT_EQ(read(device, out), (std::vector<std::uint32_t>{0, 1, 2})) << name;
  }
}

CONFORMANCE_TEST(Language, AMistakeIsNamedWhenTheKernelIsLaunched) {
  const auto wrong = kernel("wrong", [](Out<float>) { break_(); });
  const auto compiled = device.compile(wrong);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().message(), "break_() is called outside a loop.");
}

// Groups of even number write messages and then flags; the group behind each looks at its flags and then at
// its messages. It waits for nothing, since no API promises that groups run side by side.
CONFORMANCE_TEST(Language, AMessageThatAFlagAnnouncesIsThere) {
  static constexpr uint32_t kRounds = 16;  // of an item
  constexpr uint32_t kItems = 64 * 2048;
  constexpr uint32_t kMessages = kItems / 2 * kRounds;
  const auto pass =
      kernel("pass", [](InOut<uint32_t> messages, InOut<uint32_t> flags, InOut<uint32_t> counts) {
        const auto first = (group_id() / 2u * 64u + local_id()) * kRounds;
        if_(group_id() % 2u == 0u, [&] {
          for_(0u, kRounds, [&](auto round) {
            const auto at = first + round;
            messages[at] = at * 7u + 1u;
            fence(FenceScope::device);
            (void)atomic_exchange(flags, at, 1u);
          });
        }).else_([&] {
          for_(0u, kRounds, [&](auto round) {
            const auto at = first + round;
            Var<uint32_t> announced = atomic_or(flags, at, 0u);
            fence(FenceScope::device);
            if_(announced == 1u, [&] {
              (void)atomic_add(counts, 0u, 1u);
              if_(messages[at] != at * 7u + 1u, [&] { (void)atomic_add(counts, 1u, 1u); });
            });
          });
        });
      });
  auto messages = device.buffer<uint32_t>(kMessages).value();
  auto flags = device.buffer<uint32_t>(kMessages).value();
  auto counts = device.buffer<uint32_t>(2).value();
  auto stream = device.stream();
  stream.launch(pass, kItems, messages, flags, counts);
  ASSERT_OK(stream.wait());
  const Words found = read(device, counts);
  std::printf("[ MESSAGES ] %s: %u of %u seen\n", device.info().id().c_str(), found[0], kMessages);
  EXPECT_EQ(found[1], 0u) << "of " << found[0] << " messages that were announced";
}

}  // namespace conformance
