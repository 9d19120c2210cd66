// Checked mode: an index out of range is an error of the wait that names everything, and touches no memory.

#include <collet/collet.hpp>

#include "conformance/conformance.hpp"

namespace conformance {
using namespace collet;
namespace {

Device checked(const Device& device) { return Device::open(device.info().id(), {.checked = true}).value(); }

std::string here(std::uint32_t lines_on, const std::source_location& at = std::source_location::current()) {
  return "checked_test.cpp:" + std::to_string(at.line() + lines_on);
}

}  // namespace

CONFORMANCE_TEST(Checked, AStoreBeyondABufferNamesItAndTouchesNothing) {
  const Device own = checked(device);
  const auto place = here(3);
  const auto shift = kernel("shift", [](In<std::uint32_t> from, Out<std::uint32_t> to) {
    const auto i = global_id();
    to[i + 1u] = from[i];
  });
  const auto from = own.upload(counting(64)).value();
  const auto to = own.buffer<std::uint32_t>(64, {.label = "shifted"}).value();
  auto stream = own.stream();
  stream.launch(shift, 64, from, to);
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::index_out_of_range,
               {"[Kernel \"shift\"]", place, "item (63, 0, 0)", "[Buffer \"shifted\"]",
                "index 64 where there are 64 elements"});
  Words expected = counting(64);
  std::rotate(expected.rbegin(), expected.rbegin() + 1, expected.rend());
  expected[0] = 0;
  EXPECT_EQ(read(own, to), expected);
}

CONFORMANCE_TEST(Checked, ABufferShorterThanTheLaunchIsNamed) {
  const Device own = checked(device);
  const auto place = here(1);
  const auto twice = kernel("twice", [](InOut<float> x) { x[global_id()] = x[global_id()] * 2.0f; });
  const auto x = own.buffer<float>(100, {.label = "x"}).value();
  auto stream = own.stream();
  stream.launch(twice, 128, x);
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::index_out_of_range,
               {place, "[Buffer \"x\"]", "where there are 100 elements"});
}

CONFORMANCE_TEST(Checked, SharedMemoryArraysAndTablesAreCheckedToo) {
  const Device own = checked(device);
  const auto shared_kernel = kernel("shared_kernel", [](Out<std::uint32_t> x) {
                               const auto part = shared<std::uint32_t>(8);
                               part[local_id()] = global_id();
                               barrier();
                               x[global_id()] = part[local_id() + 1u];
                             }).with(group(8));
  const auto array_kernel = kernel("array_kernel", [](InOut<std::uint32_t> x) {
    const auto own_array = array<std::uint32_t>(4);
    for_(0u, 4u, [&](Expr<std::uint32_t> k) { own_array[k] = k; });
    x[global_id()] = own_array[x[global_id()]];
  });
  const auto table_kernel = kernel("table_kernel", [](InOut<std::uint32_t> x) {
    x[global_id()] = constant_table<std::uint32_t>({5, 6, 7})[x[global_id()]];
  });
  const auto x = own.upload(Words(8, 4)).value();
  auto stream = own.stream();
  stream.launch(shared_kernel, 8, x);
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::index_out_of_range,
               {"item (7, 0, 0)", "shared memory", "index 8 where there are 8 elements"});
  stream.upload(std::span<const std::uint32_t>(Words(8, 4)), x);
  stream.launch(array_kernel, 8, x);
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::index_out_of_range,
               {"an array of the item", "index 4 where there are 4 elements"});
  stream.upload(std::span<const std::uint32_t>(Words(8, 3)), x);
  stream.launch(table_kernel, 8, x);
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::index_out_of_range,
               {"a table", "index 3 where there are 3 elements"});
}

CONFORMANCE_TEST(Checked, AtomicOperationsAndNegativeIndicesAreCheckedToo) {
  const Device own = checked(device);
  const auto count = kernel("count", [](InOut<std::uint32_t> x, Value<std::int32_t> by) {
    (void)atomic_add(x, cast<std::int32_t>(global_id()) - by, 1u);
  });
  const auto x = own.buffer<std::uint32_t>(16).value();
  auto stream = own.stream();
  stream.launch(count, 16, x, 1);
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::index_out_of_range,
               {"item (0, 0, 0)", "index 4294967295 where there are 16 elements", "-1"});
  Words expected(16, 1);
  expected[15] = 0;
  EXPECT_EQ(read(own, x), expected);
}

CONFORMANCE_TEST(Checked, WhatIsInsideIsLeftAlone) {
  const Device own = checked(device);
  const auto sum = kernel("sum", [](In<std::uint32_t> x, Out<std::uint32_t> y) {
                     const auto i = global_id();
                     const auto part = shared<std::uint32_t>(32);
                     part[local_id()] = x[i];
                     barrier();
                     Var<std::uint32_t> all = 0u;
                     for_(0u, 32u, [&](Expr<std::uint32_t> k) { all += part[k]; });
                     if_(i < y.size(), [&] { y[i] = all; });
                   }).with(group(32));
  const auto x = own.upload(counting(64)).value();
  const auto y = own.buffer<std::uint32_t>(40).value();
  auto stream = own.stream();
  stream.launch(sum, 64, x, y);
  ASSERT_OK(stream.wait());
  Words expected(40, 496);
  std::fill(expected.begin() + 32, expected.end(), 1520u);
  EXPECT_EQ(read(own, y), expected);
}

CONFORMANCE_TEST(Checked, PrintsAndAssertsGoOnAsTheyDo) {
  OpenOptions options;
  std::vector<std::string> lines;
  options.checked = true;
  options.print = [&](const Printed& printed) {
    for (const PrintedLine& line : printed.lines) lines.push_back(line.text);
  };
  const Device own = Device::open(device.info().id(), options).value();
  const auto say = kernel("say", [](InOut<std::uint32_t> x) {
    print_("before {}", x[0u]);
    x[x[0u]] = 1u;
    print_("behind");
  });
  const auto x = own.upload({9u}).value();
  auto stream = own.stream();
  stream.launch(say, 1, x);
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::index_out_of_range, {"index 9"});
  EXPECT_EQ(lines, (std::vector<std::string>{"before 9", "behind"}));
}

}  // namespace conformance
