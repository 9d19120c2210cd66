// Devices: found, described, opened, waited for, closed.

#include <array>
#include <chrono>
#include <future>
#include <optional>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"

namespace conformance {
namespace {

using std::chrono::seconds;

std::optional<collet::DeviceInfo> listed(const std::string& id) {
  for (const collet::DeviceInfo& info : collet::devices()) {
    if (info.id() == id) return info;
  }
  return std::nullopt;
}

void expect_works(const collet::Device& device) {
  auto buffer = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  stream.launch(kernels::iota(), 100, buffer, 7u);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), counting(100, 7));
}

}  // namespace

CONFORMANCE_TEST(Device, IsTheOneThatWasListed) {
  const auto info = listed(device.info().id());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->name, device.info().name);
  EXPECT_EQ(info->type, device.info().type);
  EXPECT_EQ(info->driver, device.info().driver);
  EXPECT_EQ(device.name(), device.info().name);
}

CONFORMANCE_TEST(Device, DescribesItself) {
  const collet::DeviceInfo& info = device.info();
  EXPECT_FALSE(info.backend.empty());
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.driver.empty());
  EXPECT_GE(info.rung, collet::Rung::initialised);
  EXPECT_GT(info.memory_total.value_or(1), 0u);
  EXPECT_GT(info.max_group_items.value_or(1), 0u);
  if (info.uuid) {
    EXPECT_EQ(info.uuid->size(), 32u) << *info.uuid;
  }
}

CONFORMANCE_TEST(Device, LimitsAgreeWithItsDescription) {
  const collet::DeviceInfo& info = device.info();
  const collet::backend::Caps& limits = caps(device);
  EXPECT_FALSE(limits.formats.empty());
  EXPECT_GE(limits.max_bindings, 8u);
  EXPECT_GE(limits.max_constants_size, 64u);
  EXPECT_GT(limits.max_binding_range, 0u);
  EXPECT_GT(limits.max_allocation, 0u);
  EXPECT_GE(limits.max_group_items, 128u);
  EXPECT_TRUE(limits.executes);
  for (const uint32_t power : {limits.offset_alignment, limits.copy_alignment}) {
    EXPECT_NE(power, 0u);
    EXPECT_EQ(power & (power - 1), 0u) << power;
  }
  if (info.max_group_items) {
    EXPECT_EQ(*info.max_group_items, limits.max_group_items);
  }
  if (info.max_group_size) {
    EXPECT_EQ(*info.max_group_size, limits.max_group_size);
  }
  if (info.max_groups) {
    EXPECT_EQ(*info.max_groups, limits.max_groups);
  }
  if (info.timestamps) {
    EXPECT_EQ(*info.timestamps, limits.timestamps);
  }
}

CONFORMANCE_TEST(Device, BelongsToABackendThatIsListed) {
  for (const collet::BackendInfo& info : collet::backends()) {
    if (info.id != device.info().backend) continue;
    EXPECT_GE(info.rung, collet::Rung::initialised);
    EXPECT_GT(info.device_count, device.info().index);
    return;
  }
  ADD_FAILURE() << device.info().backend << " is not among backends().";
}

CONFORMANCE_TEST(Device, IsListedTheSameTwice) {
  const auto first = collet::devices();
  const auto second = collet::devices();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].id(), second[i].id());
    EXPECT_EQ(first[i].name, second[i].name);
  }
}

CONFORMANCE_TEST(Device, BelowTheWaistIsTheSame) {
  EXPECT_EQ(device.native().info().id(), device.info().id());
  EXPECT_EQ(device.native().extension("no such extension"), nullptr);
  const auto memory = device.native().memory_info();
  ASSERT_OK(memory);
  EXPECT_EQ(memory->total > 0, device.info().memory_total.has_value());  // where the API says
  EXPECT_LE(memory->available, memory->total);
}

CONFORMANCE_TEST(Device, ThatWorksIsHealthy) { EXPECT_OK(device.health()); }

CONFORMANCE_TEST(Device, ClockGoesOnAsTheHostsDoes) {
  using Clock = collet::Deadline::Clock;
  const auto nanoseconds = [] {
    return static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now().time_since_epoch()).count());
  };
  std::array<uint64_t, 4> times{nanoseconds()};
  const auto first = device.native().sample_clock();
  times[1] = nanoseconds();
  if (!first) {
    expect_error(first, ErrorCode::unsupported, {"clock"});
    EXPECT_NE(device.info().backend, "cpu");
    return;
  }
  while (nanoseconds() - times[1] < 2'000'000) continue;
  times[2] = nanoseconds();
  const auto second = device.native().sample_clock();
  times[3] = nanoseconds();
  ASSERT_OK(second);
  EXPECT_LE(times[0], first->host_ns);
  EXPECT_LE(first->host_ns, times[1]);
  EXPECT_LE(times[2], second->host_ns);
  EXPECT_LE(second->host_ns, times[3]);
  // Both were read somewhere between two of the host's times; clocks may differ by a hundredth.
  const uint64_t passed = second->device_ns - first->device_ns;
  EXPECT_GE(passed, (times[2] - times[1]) / 100 * 99);
  EXPECT_LE(passed, (times[3] - times[0]) / 100 * 101 + 1000);
}

CONFORMANCE_TEST(Device, OpensByTheNameOfItsBackend) {
  auto first = collet::Device::open(device.info().backend);
  ASSERT_OK(first);
  EXPECT_EQ(first->info().index, 0u);
  expect_works(*first);
}

CONFORMANCE_TEST(Device, OpensSeveralTimes) {
  std::vector<collet::Device> opened;
  for (int i = 0; i < 3; ++i) opened.push_back(collet::Device::open(device.info().id()).value());
  for (const collet::Device& one : opened) expect_works(one);
}

CONFORMANCE_TEST(Device, OpensAgainAfterItWasClosed) {
  for (int i = 0; i < 5; ++i) expect_works(collet::Device::open(device.info().id()).value());
}

CONFORMANCE_TEST(Device, OpensInTheBackground) {
  auto future = collet::Device::open_async(device.info().id());
  auto opened = future.get();
  ASSERT_OK(opened);
  expect_works(*opened);
}

CONFORMANCE_TEST(Device, OpensInTheBackgroundAndIsForgotten) {
  for (int i = 0; i < 3; ++i) (void)collet::Device::open_async(device.info().id());
  expect_works(device);
}

CONFORMANCE_TEST(Device, ReportsInTheBackgroundWhatItCouldNotOpen) {
  auto future = collet::Device::open_async("nonsense:3");
  expect_error(future.get(), ErrorCode::invalid_argument, {"nonsense"});
}

CONFORMANCE_TEST(Device, WorksInStrictMode) {
  expect_works(collet::Device::open(device.info().id(), {.strict = true}).value());
}

CONFORMANCE_TEST(Device, WorksWithAdaptiveWaits) {
  auto own =
      collet::Device::open(device.info().id(), {.label = "spinning", .wait = collet::WaitMode::adaptive})
          .value();
  for (int i = 0; i < 50; ++i) expect_works(own);
}

CONFORMANCE_TEST(Device, CopiesAreTheSameDevice) {
  const collet::Device copy = device;
  auto buffer = copy.upload(Words{1, 2, 3}).value();
  EXPECT_EQ(read(device, buffer), (Words{1, 2, 3}));
  EXPECT_EQ(&copy.native(), &device.native());
}

CONFORMANCE_TEST(Device, WaitCoversEveryStream) {
  std::vector<collet::Buffer<uint32_t>> buffers;
  std::vector<collet::Stream> streams;
  for (int i = 0; i < 8; ++i) {
    buffers.push_back(device.upload(Words{1}).value());
    streams.push_back(device.stream());
    for (int launch = 0; launch < 40; ++launch) {
      streams.back().launch(kernels::spin(), 1, buffers.back(), kernels::kSpinRounds);
    }
  }
  ASSERT_OK(device.wait());
  for (auto& stream : streams) EXPECT_TRUE(stream.idle());
  for (auto& buffer : buffers)
    EXPECT_EQ(read(device, buffer), Words{kernels::spun(1, 40 * kernels::kSpinRounds)});
}

CONFORMANCE_TEST(Device, WaitGivesUpAtItsDeadline) {
  auto buffer = device.upload(Words{1}).value();
  auto stream = device.stream();
  for (int i = 0; i < 400; ++i) stream.launch(kernels::spin(), 1, buffer, kernels::kSpinRounds);
  expect_error(device.wait(collet::Deadline::in(seconds(0))), ErrorCode::timeout);
  EXPECT_OK(device.wait());
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Device, WaitReportsAFailureAndLeavesItToItsStream) {
  auto own = collet::Device::open(device.info().id()).value();
  auto buffer = own.buffer<uint32_t>(4).value();
  auto wrong = own.stream();
  auto right = own.stream();
  wrong.fill(buffer.slice(4, 55), 1u);
  right.fill(buffer, 2u);
  expect_error(own.wait(), ErrorCode::invalid_argument, {"55"});
  expect_error(wrong.wait(), ErrorCode::invalid_argument, {"55"});
  EXPECT_OK(right.wait());
  EXPECT_OK(own.wait());
  EXPECT_EQ(read(own, buffer), Words(4, 2));
}

CONFORMANCE_TEST(Device, WithoutStreamsWaits) {
  auto own = collet::Device::open(device.info().id()).value();
  EXPECT_OK(own.wait());
  EXPECT_OK(own.wait(collet::Deadline::in(seconds(0))));
}

CONFORMANCE_TEST(Device, ClosesWithWorkInFlight) {
  for (int i = 0; i < 3; ++i) {
    auto own = collet::Device::open(device.info().id()).value();
    auto buffer = own.upload(Words{1}).value();
    auto stream = own.stream();
    for (int launch = 0; launch < 100; ++launch) {
      stream.launch(kernels::spin(), 1, buffer, kernels::kSpinRounds);
    }
    stream.flush();
  }
  expect_works(device);
}

CONFORMANCE_TEST(Device, LivesAsLongAsItsStreamsAndBuffers) {
  std::optional<collet::Buffer<uint32_t>> buffer;
  std::optional<collet::Stream> stream;
  {
    auto own = collet::Device::open(device.info().id()).value();
    buffer = own.buffer<uint32_t>(100).value();
    stream = own.stream();
  }
  Words host(100);
  stream->launch(kernels::iota(), 100, *buffer, 3u);
  stream->download(*buffer, std::span(host));
  ASSERT_OK(stream->wait());
  EXPECT_EQ(host, counting(100, 3));
}

}  // namespace conformance
