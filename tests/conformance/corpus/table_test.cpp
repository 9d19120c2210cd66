// Corpus: tables of numbers that are part of a kernel's code.

#include <limits>

#include "conformance/corpus/corpus.hpp"

namespace conformance {

CONFORMANCE_TEST(Corpus, TablesOfFloats) {
  const auto bell = constant_table<float>({0.25f, -0.5f, 1e-30f, 0.0f, 3.0e38f});
  const float infinity = std::numeric_limits<float>::infinity();
  const auto ends = constant_table<float>({infinity, -infinity, 1.0f});
  const auto all = kernel("all", [&](Out<float> y, Out<float> z, Out<float> first) {
    const auto i = global_id();
    y[i] = bell[i];  // 0 beyond the end
    z[i] = ends[i % 3u] + bell[(i + 1u) % 5u];
    first[i] = bell[1] + bell[3];
  });
  const auto y = device.buffer<float>(9).value();
  const auto z = device.buffer<float>(9).value();
  const auto first = device.buffer<float>(9).value();
  if (!ran(device, all, 9, y, z, first)) return;
  const float values[] = {0.25f, -0.5f, 1e-30f, 0.0f, 3.0e38f};
  expect_each(device, y, [&](std::size_t i) { return i < 5 ? values[i] : 0.0f; });
  expect_each(device, z, [&](std::size_t i) {
    return (i % 3 == 2 ? 1.0f : i % 3 == 0 ? infinity : -infinity) + values[(i + 1) % 5];
  });
  expect_each(device, first, [](std::size_t) { return -0.5f; });
}

CONFORMANCE_TEST(Corpus, TablesOfIntegers) {
  const auto bytes = constant_table<std::uint8_t>({0, 127, 128, 255});
  const auto signs = constant_table<std::int16_t>({-32768, -1, 0, 32767});
  const auto wide = constant_table<std::uint64_t>({1, std::uint64_t{1} << 63, 0x123456789abcdef0});
  const auto all = kernel("all", [&](Out<std::uint8_t> a, Out<std::int16_t> b, Out<std::uint64_t> c) {
    const auto i = global_id();
    a[i] = bytes[i % 4u];
    b[i] = signs[i % 4u];
    c[i] = wide[i % 3u] + wide[(i + 1u) % 3u];
  });
  const auto a = device.buffer<std::uint8_t>(64).value();
  const auto b = device.buffer<std::int16_t>(64).value();
  const auto c = device.buffer<std::uint64_t>(64).value();
  if (!ran(device, all, 64, a, b, c)) return;
  const std::uint8_t some[] = {0, 127, 128, 255};
  const std::int16_t others[] = {-32768, -1, 0, 32767};
  const std::uint64_t long_ones[] = {1, std::uint64_t{1} << 63, 0x123456789abcdef0};
  expect_each(device, a, [&](std::size_t i) { return some[i % 4]; });
  expect_each(device, b, [&](std::size_t i) { return others[i % 4]; });
  expect_each(device, c, [&](std::size_t i) { return long_ones[i % 3] + long_ones[(i + 1) % 3]; });
}

// Of a size for which nobody unrolls anything, in a loop and behind branches, with a table from a vector.
CONFORMANCE_TEST(Corpus, TablesInLoopsAndBranches) {
  Words squares(1000);
  for (std::size_t i = 0; i < squares.size(); ++i) squares[i] = static_cast<uint32_t>(i * i);
  const auto table = constant_table<uint32_t>(std::span<const uint32_t>(squares));
  const auto sums = kernel("sums", [&](Out<uint32_t> y) {
    const auto i = global_id();
    Var<uint32_t> sum = 0u;
    for_(0u, i,
         [&](Expr<uint32_t> k) { if_(k % 2u == 0u && table[k] > 10u, [&] { sum += table[k + 1u]; }); });
    y[i] = sum;
  });
  const auto y = device.buffer<uint32_t>(300).value();
  if (!ran(device, sums, 300, y)) return;
  expect_each(device, y, [&](std::size_t i) {
    uint32_t sum = 0;
    for (std::size_t k = 0; k < i; ++k) sum += k % 2 == 0 && squares[k] > 10 ? squares[k + 1] : 0;
    return sum;
  });
}

CONFORMANCE_TEST(Corpus, TablesThatAreTooLargeAreRefused) {
  const std::vector<float> many(17000, 1.0f);
  const auto table = constant_table<float>(std::span<const float>(many));
  const auto compiled =
      device.compile(kernel("k", [&](Out<float> y) { y[global_id()] = table[global_id()]; }));
  ASSERT_FALSE(compiled);
  EXPECT_NE(compiled.error().message().find("tables of 68000 bytes"), std::string::npos)
      << compiled.error().message();
}

}  // namespace conformance
