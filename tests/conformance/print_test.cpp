// What kernels say to their program: lines, and asserts that fail.

#include <collet/collet.hpp>
#include <cstdlib>
#include <mutex>

#include "conformance/conformance.hpp"

namespace conformance {
using namespace collet;
namespace {

// The device opened once more, with a sink that keeps all lines.
struct Listening {
  explicit Listening(const Device& device, std::uint32_t bytes = 64u << 10) {
    OpenOptions options;
    options.print = [this](const Printed& printed) { heard.push_back(printed); };
    options.print_bytes = bytes;
    options.print_in_order = true;
    opened.emplace(Device::open(device.info().id(), options).value());
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Printed& printed : heard) {
      for (const PrintedLine& line : printed.lines) all.push_back(line.text);
    }
    return all;
  }

  std::vector<Printed> heard;
  std::optional<Device> opened;
};

enum class Colour : std::uint8_t { red = 3, green = 200 };

}  // namespace

CONFORMANCE_TEST(Print, LinesTellItemPlaceAndValues) {
  Listening listening(device);
  Device& own = *listening.opened;
  const auto line = std::source_location::current().line() + 3;
  const auto say = kernel("say", [](In<float> x) {
    const auto i = global_id();
    print_("x[{}] = {:.2f}, {{above 2: {}}}", i, x[i], x[i] > 2.0f);
  });
  const auto x = own.upload({1.0f, 2.5f, 4.0f}).value();
  auto stream = own.stream();
  stream.launch(say, 3, x);
  ASSERT_OK(stream.wait());
  ASSERT_EQ(listening.heard.size(), 1u);
  const Printed& printed = listening.heard[0];
  EXPECT_EQ(printed.kernel, "say");
  EXPECT_EQ(printed.lost, 0u);
  EXPECT_EQ(listening.texts(),
            (std::vector<std::string>{"x[0] = 1.00, {above 2: false}", "x[1] = 2.50, {above 2: true}",
                                      "x[2] = 4.00, {above 2: true}"}));
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(printed.lines[i].item, (std::array<std::uint32_t, 3>{i, 0, 0}));
    EXPECT_TRUE(printed.lines[i].file.ends_with("print_test.cpp")) << printed.lines[i].file;
    EXPECT_EQ(printed.lines[i].line, line);
  }
}

CONFORMANCE_TEST(Print, EveryTypeOfNumber) {
  Listening listening(device);
  Device& own = *listening.opened;
  const auto say = kernel("say", [](In<std::int8_t> a, In<std::uint16_t> b, In<half> c, In<std::int64_t> d,
                                    In<std::uint64_t> e, In<float3> f) {
    print_("{} {} {} {} {:x} {:.1f}", a[0u], b[0u], c[0u], d[0u], e[0u], f[0u]);
    print_("{} {} {} {}", -7, 2.5f, Colour::green, true);
    print_("none");
  });
  const auto a = own.upload({std::int8_t{-128}}).value();
  const auto b = own.upload({std::uint16_t{65535}}).value();
  const auto c = own.upload({half(-0.5f)}).value();
  const auto d = own.upload({std::int64_t{-9'000'000'000}}).value();
  const auto e = own.upload({std::uint64_t{0xfedcba9876543210}}).value();
  const auto f = own.upload({float3{1.0f, 2.0f, 3.5f}}).value();
  auto stream = own.stream();
  stream.launch(say, 1, a, b, c, d, e, f);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(listening.texts(),
            (std::vector<std::string>{"-128 65535 -0.5 -9000000000 fedcba9876543210 (1.0, 2.0, 3.5)",
                                      "-7 2.5 200 true", "none"}));
}

CONFORMANCE_TEST(Print, DoublesWhereTheDeviceHasThem) {
  if (!device.info().f64.value_or(false)) return;
  Listening listening(device);
  const auto say = kernel("say", [](In<double> x) { print_("{}", x[0u]); });
  const auto x = listening.opened->upload({-1.0 / 3.0}).value();
  auto stream = listening.opened->stream();
  stream.launch(say, 1, x);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(listening.texts(), std::vector<std::string>{"-0.3333333333333333"});
}

CONFORMANCE_TEST(Print, WhatHasNoRoomIsCountedAndNothingIsTorn) {
  Listening listening(device, 4096);
  Device& own = *listening.opened;
  const std::uint32_t items = std::getenv("COLLET_SHORT") != nullptr ? 20'000 : 1'000'000;
  const auto say = kernel("say", [](Value<std::uint32_t> salt) {
    const auto i = global_id();
    print_("{} {} {}", i, i * 3u + salt, i ^ salt);
  });
  auto stream = own.stream();
  stream.launch(say, items, 77u);
  ASSERT_OK(stream.wait());
  ASSERT_EQ(listening.heard.size(), 1u);
  const Printed& printed = listening.heard[0];
  EXPECT_EQ(printed.lines.size() + printed.lost, items);
  EXPECT_GE(printed.lines.size(), 100u);
  for (const PrintedLine& line : printed.lines) {
    const std::uint32_t i = line.item[0];
    ASSERT_EQ(line.text,
              std::to_string(i) + " " + std::to_string(i * 3 + 77) + " " + std::to_string(i ^ 77u));
  }
  // Each line is another item's.
  for (std::size_t i = 1; i < printed.lines.size(); ++i)
    ASSERT_LT(printed.lines[i - 1].item[0], printed.lines[i].item[0]);
}

CONFORMANCE_TEST(Print, BesideSharedMemoryBarriersAndLoops) {
  Listening listening(device);
  Device& own = *listening.opened;
  const auto say = kernel("say", [](In<std::uint32_t> x, Out<std::uint32_t> sums) {
                     const auto local = local_id();
                     const auto part = shared<std::uint32_t>(16);
                     part[local] = x[global_id()];
                     barrier();
                     Var<std::uint32_t> sum = 0u;
                     for_(0u, 16u, [&](Expr<std::uint32_t> k) {
                       sum += part[k];
                       if_(local == 3u && k == 15u, [&] { print_("group {} has {}", group_id(), sum); });
                     });
                     barrier();
                     if_(local == 0u, [&] { sums[group_id()] = sum; });
                   }).with(group(16));
  const auto x = own.upload(counting(48)).value();
  const auto sums = own.buffer<std::uint32_t>(3).value();
  auto stream = own.stream();
  stream.launch(say, 48, x, sums);
  const auto got = stream.download(sums);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(listening.texts(),
            (std::vector<std::string>{"group 0 has 120", "group 1 has 376", "group 2 has 632"}));
  ASSERT_OK(got);
}

CONFORMANCE_TEST(Print, FunctionsPrintWhereverTheyAreCalled) {
  Listening listening(device);
  Device& own = *listening.opened;
  const auto half_of = function("half_of", [](Expr<std::uint32_t> x) {
    print_("half of {}", x);
    return x / 2u;
  });
  const auto quarter_of = function("quarter_of", [&](Expr<std::uint32_t> x) { return half_of(half_of(x)); });
  const auto say = kernel("say", [&](InOut<std::uint32_t> x) {
    x[0u] = quarter_of(x[0u]);
    print_("a quarter is {}", x[0u]);
  });
  const auto x = own.upload({40u}).value();
  auto stream = own.stream();
  stream.launch(say, 1, x);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(listening.texts(), (std::vector<std::string>{"half of 40", "half of 20", "a quarter is 10"}));
}

CONFORMANCE_TEST(Print, LinesOfSeveralLaunchesComeInTheirOrder) {
  Listening listening(device);
  Device& own = *listening.opened;
  const auto say = kernel("say", [](Value<std::uint32_t> number) { print_("launch {}", number); });
  auto stream = own.stream();
  std::vector<std::string> expected;
  for (std::uint32_t i = 0; i < 20; ++i) {
    stream.launch(say, 1, i);
    expected.push_back("launch " + std::to_string(i));
  }
  const Event event = stream.record();
  ASSERT_OK(event.wait());
  EXPECT_EQ(listening.texts(), expected);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(listening.texts(), expected) << "nothing is told twice";
}

CONFORMANCE_TEST(Print, WithoutASinkLinesGoToTheLog) {
  static std::mutex mutex;
  static std::vector<std::string> logged;
  {
    const std::lock_guard lock(mutex);
    logged.clear();
  }
  set_log_sink([](const LogMessage& message) {
    const std::lock_guard lock(mutex);
    if (message.module == "print") logged.emplace_back(message.text);
  });
  const auto say = kernel("say", [] { print_("hello from item {}", global_id()); });
  auto stream = device.stream();
  stream.launch(say, 1);
  const auto done = stream.wait();
  set_log_sink({});
  ASSERT_OK(done);
  EXPECT_EQ(logged, std::vector<std::string>{"hello from item 0"});
}

CONFORMANCE_TEST(Assert, WhereItHoldsNothingHappens) {
  const auto check = kernel("check", [](InOut<std::uint32_t> x) {
    const auto i = global_id();
    assert_(x[i] < 100u, "x[{}] is {}", i, x[i]);
    x[i] = x[i] + 1u;
  });
  const auto x = device.upload(counting(100)).value();
  auto stream = device.stream();
  stream.launch(check, 100, x);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, x), counting(100, 1));
}

CONFORMANCE_TEST(Assert, OneThatFailsIsAnErrorWithPlaceItemAndValues) {
  const auto line = std::source_location::current().line() + 3;
  const auto check = kernel("check", [](In<float> x) {
    const auto i = global_id();
    assert_(x[i] >= 0.0f, "x[{}] is {}", i, x[i]);
  });
  std::vector<float> values(300, 1.0f);
  values[257] = -2.5f;
  const auto x = device.upload(values).value();
  auto stream = device.stream();
  stream.launch(check, 300, x);
  expect_cause(
      stream.wait(), ErrorCode::kernel_failed, Cause::assertion_failed,
      {"[Kernel \"check\"]", "print_test.cpp:" + std::to_string(line), "item (257, 0, 0)", "x[257] is -2.5"});
  // The next launch is one of its own.
  stream.launch(check, 200, x);
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Assert, OfManyThatFailOneIsToldWithTheirNumber) {
  const auto check = kernel("check", [](Value<std::uint32_t> limit) {
    assert_(global_id() < limit, "item {} is too large", global_id());
  });
  auto stream = device.stream();
  stream.launch(check, 1000, 10u);
  const auto event = stream.record();
  const auto failed = event.wait();
  expect_cause(failed, ErrorCode::kernel_failed, Cause::assertion_failed,
               {"is too large", "In this launch 990 failed."});
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::assertion_failed);
}

CONFORMANCE_TEST(Assert, ItemsGoOnBehindOneThatFails) {
  const auto check = kernel("check", [](Out<std::uint32_t> x) {
                       const auto i = global_id();
                       const auto part = shared<std::uint32_t>(8);
                       assert_(i != 3u, "item 3");
                       part[local_id()] = i;
                       barrier();
                       x[i] = part[7u - local_id()];
                     }).with(group(8));
  const auto x = device.buffer<std::uint32_t>(8).value();
  auto stream = device.stream();
  stream.launch(check, 8, x);
  expect_cause(stream.wait(), ErrorCode::kernel_failed, Cause::assertion_failed, {"item 3"});
  EXPECT_EQ(read(device, x), (Words{7, 6, 5, 4, 3, 2, 1, 0}));
}

}  // namespace conformance
