// Handles that were moved from: every public function answers with an error, or with nothing.

#include <gtest/gtest.h>

#include <collet_backends.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collet/collet.hpp"

// Using what was moved from is the subject here.
// NOLINTBEGIN(bugprone-use-after-move)

namespace collet {
namespace {

Device open() { return Device::open("null").value(); }

auto doubled() {
  return kernel("doubled", [](In<float> x, Out<float> y) {
    auto i = global_id();
    y[i] = x[i] * 2.0f;
  });
}

template <class T>
T away(T& handle) {
  return std::move(handle);
}

void expect_moved(const Error& error, const std::string& what) {
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.describe();
  EXPECT_EQ(error.message(), "The " + what + " was moved from.") << error.describe();
  EXPECT_EQ(error.hint(), "Use the " + what + " that it was moved to.");
}

template <class T>
void expect_moved(const Result<T>& result, const std::string& what) {
  ASSERT_FALSE(result);
  expect_moved(result.error(), what);
}

void expect_no_memory(const Result<Receipt>& result) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(result.error().message(), "The Buffer was moved from, or made without a device.");
  EXPECT_NE(result.error().hint().find("Device::buffer()"), std::string::npos);
}

TEST(MovedFrom, ADeviceMakesNothing) {
  Device device = open();
  const Device kept = away(device);
  const auto buffer = device.buffer<float>(3, {.label = "x"});
  expect_moved(buffer, "Device");
  EXPECT_NE(buffer.error().describe().find("[Buffer \"x\"] of 12 bytes"), std::string::npos)
      << buffer.error().describe();
  expect_moved(device.buffer<float>(0), "Device");
  expect_moved(device.upload(std::vector<float>{1, 2}), "Device");
  expect_moved(device.compile(doubled()), "Device");
  expect_moved(device.compile_async(doubled()).get(), "Device");
  expect_moved(device.wait(), "Device");
  expect_moved(device.health(), "Device");
  Stream stream = device.stream({.label = "s"});
  EXPECT_EQ(stream.label(), "s");
  stream.flush();
  expect_moved(stream.wait(), "Device");
  expect_moved(stream.wait(), "Device");
}

TEST(MovedFrom, ADeviceAnswersWithNothing) {
  Device device = open();
  const Device kept = away(device);
  EXPECT_EQ(device.name(), "");
  EXPECT_EQ(device.info().backend, "");
  EXPECT_EQ(device.memory_usage().blocks, 0u);
  device.trim();
  Device copy = device;
  expect_moved(copy.wait(), "Device");
  device = kept;
  EXPECT_TRUE(device.wait());
  copy = std::move(device);
  EXPECT_TRUE(copy.wait());
  EXPECT_TRUE(kept.buffer<float>(4));
}

TEST(MovedFrom, TheDeviceBelowAnswersWithErrors) {
  Device device = open();
  const Device kept = away(device);
  backend::Device& native = device.native();
  const std::vector<Error> errors = {
      native.memory_info().error(),
      native.health().error(),
      native.create_memory({.size = 16, .placement = backend::Placement::device, .label = {}}).error(),
      native.sync_host_range({}, true).error(),
      native.create_program({}).error(),
      native.create_kernel({}, {}).error(),
      native.create_timeline().error(),
      native.query_timeline({}).error(),
      native.wait_timelines({}, backend::WaitFor::all, kForever).error(),
      native.create_queue(backend::QueueKind::compute, {}).error(),
      native.submit({}, {}).error(),
      native.sample_clock().error(),
  };
  for (const Error& error : errors) expect_moved(error, "Device");
  EXPECT_EQ(native.extension("vulkan.device"), nullptr);
  EXPECT_TRUE(native.caps().formats.empty());
  native.destroy_memory({});
  native.destroy_program({});
  native.destroy_kernel({});
  native.destroy_timeline({});
  native.destroy_queue({});
}

TEST(MovedFrom, AStreamKeepsTheErrorForWait) {
  const Device device = open();
  const auto x = device.buffer<float>(4).value();
  const auto y = device.buffer<float>(4).value();
  std::vector<float> host(4);
  const AnyKernel any(doubled());
  const std::vector<AnyArgument> arguments{x, y};

  Stream stream = device.stream({.label = "s"});
  Stream kept = away(stream);
  stream.upload(host, y);
  stream.upload_borrowed(std::span<const float>(host), y);
  stream.download(y, std::span(host));
  stream.copy(x, y);
  stream.fill(y, 1.0f);
  stream.launch(doubled(), 4, x, y);
  stream.launch(any, 4, arguments);
  stream.wait_for(kept.record());
  stream.flush();
  EXPECT_TRUE(stream.idle());
  EXPECT_EQ(stream.label(), "");
  const Event event = stream.record();
  expect_moved(event.done(), "Stream");
  expect_moved(event.wait(), "Stream");
  expect_moved(event.elapsed(kept.record()), "Stream");
  expect_moved(stream.wait(), "Stream");
  expect_moved(stream.wait(), "Stream");
  kept.wait_for(event);
  expect_moved(kept.wait(), "Stream");

  stream = std::move(kept);
  EXPECT_EQ(stream.label(), "s");
  EXPECT_TRUE(stream.wait());
  expect_moved(kept.wait(), "Stream");
}

TEST(MovedFrom, ABufferThatWasMadeWithoutADeviceIsTheSame) {
  const Device device = open();
  Stream stream = device.stream();
  Buffer<float> buffer;
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.label(), "");
  stream.fill(buffer, 1.0f);
  expect_no_memory(stream.wait());
  buffer = device.buffer<float>(4).value();
  EXPECT_EQ(buffer.size(), 4u);
  stream.fill(buffer, 1.0f);
  EXPECT_TRUE(stream.wait());
}

TEST(MovedFrom, ABufferIsEmptyAndRefused) {
  const Device device = open();
  Stream stream = device.stream({.label = "s"});
  auto buffer = device.buffer<float>(4, {.label = "b"}).value();
  const auto other = device.buffer<float>(4).value();
  auto kept = away(buffer);
  EXPECT_EQ(buffer.size(), 0u);
  EXPECT_EQ(buffer.bytes(), 0u);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.label(), "");
  EXPECT_EQ(buffer.slice(1, 2).size(), 2u);
  EXPECT_EQ(View<float>(buffer).size(), 0u);

  std::vector<float> host(4);
  const AnyKernel any(doubled());
  const std::vector<AnyArgument> passed{buffer, other};
  const std::vector<std::function<void()>> uses = {
      [&] { stream.upload(host, buffer); },
      [&] { stream.upload(std::vector<float>{}, buffer); },
      [&] { stream.upload_borrowed(std::span<const float>(host), buffer); },
      [&] { stream.download(buffer, std::span(host)); },
      [&] { stream.copy(buffer, other); },
      [&] { stream.copy(other, buffer); },
      [&] { stream.fill(buffer, 1.0f); },
      [&] { stream.fill(buffer.slice(1, 2), 1.0f); },
      [&] { stream.launch(doubled(), 4, buffer, other); },
      [&] { stream.launch(doubled(), 4, other, buffer.slice(0, 4)); },
      [&] { stream.launch(any, 4, passed); },
  };
  for (const auto& use : uses) {
    use();
    expect_no_memory(stream.wait());
  }
  buffer = std::move(kept);
  EXPECT_EQ(buffer.size(), 4u);
  EXPECT_EQ(kept.size(), 0u);
  stream.fill(buffer, 1.0f);
  EXPECT_TRUE(stream.wait());
}

TEST(MovedFrom, AKernelDoesNotCompile) {
  const Device device = open();
  Stream stream = device.stream();
  const auto x = device.buffer<float>(64).value();
  const auto y = device.buffer<float>(64).value();
  auto moved = doubled();
  auto kept = away(moved);
  EXPECT_EQ(moved.name(), "");
  expect_moved(moved.emit(Format::ir), "Kernel");
  expect_moved(device.compile(moved), "Kernel");
  expect_moved(device.compile_async(moved).get(), "Kernel");
  expect_moved(device.compile(moved.with(group(128), shared_bytes(16), cpu_stand_in())), "Kernel");
  stream.launch(moved, 64, x, y);
  expect_moved(stream.wait(), "Kernel");
  moved = std::move(kept);
  EXPECT_EQ(moved.name(), "doubled");
  EXPECT_TRUE(device.compile(moved));

  AnyKernel any(moved);
  const AnyKernel any_kept = away(any);
  EXPECT_EQ(any.name(), "");
  EXPECT_EQ(any.group().size, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_TRUE(any.parameters().empty());
  expect_moved(any.emit(Format::ir), "Kernel");
  stream.launch(any, 64, std::vector<AnyArgument>{x, y});
  expect_moved(stream.wait(), "Kernel");
  EXPECT_EQ(any_kept.parameters().size(), 2u);

  AnyArgument value = AnyArgument::value(1.0f);
  const AnyArgument value_kept = away(value);
  EXPECT_TRUE(value.bytes().empty());
  stream.launch(any_kept, 64, std::vector<AnyArgument>{x, value});
  EXPECT_EQ(stream.wait().error().cause(), Cause::argument_type);
}

TEST(MovedFrom, AnEventHasFailed) {
  const Device device = open();
  Stream stream = device.stream();
  Event event = stream.record();
  Event kept = away(event);
  expect_moved(event.done(), "Event");
  expect_moved(event.wait(), "Event");
  expect_moved(event.time(), "Event");
  expect_moved(event.elapsed(kept), "Event");
  expect_moved(kept.elapsed(event), "Event");
  std::optional<Error> told;
  event.then([&](const Result<void>& how) { told = how.error(); });
  ASSERT_TRUE(told);
  expect_moved(*told, "Event");
  stream.wait_for(event);
  expect_moved(stream.wait(), "Event");
  const Event copy = event;
  expect_moved(copy.wait(), "Event");
  event = std::move(kept);
  EXPECT_TRUE(event.wait());
}

// Builders, errors and receipts stay whole or empty.

TEST(MovedFrom, AnErrorStillTellsEverything) {
  Error error =
      Error(ErrorCode::timeout, Category::stream, Cause::zero_size, "It is late.").during("waiting");
  const Error kept = away(error);
  EXPECT_EQ(error.code(), ErrorCode::timeout);
  EXPECT_EQ(error.category(), Category::stream);
  EXPECT_EQ(error.cause(), Cause::zero_size);
  EXPECT_EQ(error.native_code(), 0);
  EXPECT_EQ(error.native_name(), "");
  EXPECT_EQ(error.context(), kept.context());
  EXPECT_EQ(error.describe(), kept.describe());
  EXPECT_EQ(error.with_hint("Wait.").hint(), "Wait.");
  EXPECT_EQ(error.with_native(3, "E_LATE").native_code(), 3);
  error = std::move(const_cast<Error&>(kept));
  EXPECT_EQ(kept.message(), "It is late.");
}

TEST(MovedFrom, AReceiptDescribesNothing) {
  Receipt receipt;
  EXPECT_EQ(receipt.describe(), "An empty receipt: nothing is known of what ran.");
  receipt.launches.push_back({});
  receipt.device = std::make_shared<const DeviceFacts>(DeviceFacts{"null:0", "nothing", "none"});
  receipt.launch_count = 1;
  EXPECT_EQ(receipt.describe(),
            "null:0 (nothing, driver none): 1 launches, 0 copies of 0 bytes\n  a launch without facts");
  const Receipt kept = away(receipt);
  EXPECT_EQ(receipt.describe(), "An empty receipt: nothing is known of what ran.");
  EXPECT_EQ(kept.launches.size(), 1u);
}

TEST(MovedFrom, AKernelSourceAndAModuleStayWhole) {
  KernelSource<InOut<float>> source("twice");
  source.group(64).cpu(
      [factor = std::make_shared<float>(2.0f)](Item item, std::span<float> x) { x[item.x] *= *factor; });
  const KernelSource<InOut<float>> kept = away(source);
  EXPECT_EQ(source.kernel().name(), "twice");
#if COLLET_HAS_CPU
  const Device device = Device::open("cpu").value();
  auto stream = device.stream();
  const auto x = device.upload(std::vector<float>(64, 3.0f)).value();
  stream.launch(source.kernel(), 64, x);
  std::vector<float> seen(64);
  stream.download(x, std::span(seen));
  ASSERT_TRUE(stream.wait());
  EXPECT_EQ(seen, std::vector<float>(64, 6.0f));
#endif
  Module module("shared");
  const Module module_kept = away(module);
  module.opencl("kernel void f() {}");
  EXPECT_TRUE(module.state());
}

TEST(MovedFrom, AChoiceSelectsNothing) {
  Choice choice = choose(Machine{.backends = {}, .devices = {open().info()}, .notes = {}});
  ASSERT_TRUE(choice.selected);
  const Choice kept = away(choice);
  EXPECT_EQ(choice.summary(), "requested= detected=[] selected=none reason=");
  EXPECT_NE(choice.explain().find("selected   none"), std::string::npos) << choice.explain();
  EXPECT_NE(kept.summary().find("selected=null:0"), std::string::npos) << kept.summary();
}

}  // namespace
}  // namespace collet

// NOLINTEND(bugprone-use-after-move)
