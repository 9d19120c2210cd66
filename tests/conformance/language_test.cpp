// Kernels of the kernel language, traced once and run on every device.

#include <algorithm>
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

CONFORMANCE_TEST(Language, AMistakeIsNamedWhenTheKernelIsLaunched) {
  const auto wrong = kernel("wrong", [](Out<float>) { break_(); });
  const auto compiled = device.compile(wrong);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().message(), "break_() stands in no loop.");
}

}  // namespace conformance
