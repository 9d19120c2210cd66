// Receipts: what ran, in words, with every substitution; and the rules of the CPU function that stands in.

#include "collet/receipt.hpp"

#include <gtest/gtest.h>

#include <set>

#include "backends/null/device.hpp"
#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "layers/forwarding.hpp"

namespace collet {
namespace {

Receipt sample() {
  Receipt receipt;
  receipt.device = std::make_shared<const DeviceFacts>(DeviceFacts{"vulkan:0", "llvmpipe", "Mesa 22.3.6"});
  receipt.launch_count = 1;
  receipt.copy_count = 2;
  receipt.copied_bytes = 800;
  KernelFacts facts;
  facts.kernel = "saxpy";
  facts.format = Format::spirv_shader;
  facts.hash = 0xabc;
  facts.group_size = {128, 1, 1};
  receipt.launches.push_back({std::make_shared<const KernelFacts>(facts), {8, 1, 1}});
  return receipt;
}

TEST(Receipt, DescribesWhatRan) {
  EXPECT_EQ(sample().describe(),
            "vulkan:0 (llvmpipe, driver Mesa 22.3.6): 1 launches, 2 copies of 800 bytes\n"
            "  saxpy [0000000000000abc] from SPIR-V (shader), 8x1x1 groups of 128x1x1");
}

TEST(Receipt, DescribesEverySubstitution) {
  Receipt receipt = sample();
  KernelFacts facts = *receipt.launches[0].facts;
  facts.executed = false;
  facts.substitution = "something else ran";
  facts.ignored_options = {"fast_math", "debug_info"};
  receipt.launches[0].facts = std::make_shared<const KernelFacts>(facts);
  receipt.launch_count = 5;
  EXPECT_EQ(
      receipt.describe(),
      "vulkan:0 (llvmpipe, driver Mesa 22.3.6): 5 launches, 2 copies of 800 bytes; the last 1 launches:\n"
      "  saxpy [0000000000000abc] from SPIR-V (shader), 8x1x1 groups of 128x1x1"
      "; NOT EXECUTED: this device runs no kernels; SUBSTITUTED: something else ran"
      "; option not honoured: fast_math; option not honoured: debug_info");
}

TEST(Receipt, DescribesTheQuirksThatTheCodeAvoids) {
  Receipt receipt = sample();
  KernelFacts facts = *receipt.launches[0].facts;
  facts.quirks = {"pocl-loop-before-barrier"};
  receipt.launches[0].facts = std::make_shared<const KernelFacts>(facts);
  EXPECT_TRUE(receipt.describe().ends_with("; avoids the driver's quirk pocl-loop-before-barrier"))
      << receipt.describe();
}

TEST(Receipt, DescribesWhatTheCodeEmulates) {
  Receipt receipt = sample();
  KernelFacts facts = *receipt.launches[0].facts;
  facts.emulated = {"64-bit integers"};
  receipt.launches[0].facts = std::make_shared<const KernelFacts>(facts);
  EXPECT_TRUE(receipt.describe().ends_with("; emulates 64-bit integers")) << receipt.describe();
}

// A device that says it is PoCL's.
class OfPocl final : public layers::ForwardingDevice {
 public:
  explicit OfPocl(std::unique_ptr<backend::Device> inside)
      : ForwardingDevice(std::move(inside)), info_(inner->info()) {
    info_.backend = "opencl";
    info_.driver = "Portable Computing Language 3.1+debian";
    limits.formats = {Format::opencl_c};
  }
  const DeviceInfo& info() const override { return info_; }

 private:
  DeviceInfo info_;
};

TEST(Receipt, NamesTheQuirksThatChangedAKernel) {
  const Device device(detail::Ref(
      new detail::DeviceState(std::make_unique<OfPocl>(std::make_unique<backend::null::NullDevice>()), {})));
  const auto ordinary = kernel("ordinary", [](Out<std::uint32_t> x) { x[global_id()] = global_id(); });
  const auto risky = kernel("risky", [](Out<std::uint32_t> x, Value<std::uint32_t> n) {
    barrier();
    for_(0u, n, [&](const auto& k) { if_(global_id() < k, [&] { x[global_id()] = k; }); });
  });
  const auto x = device.buffer<std::uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(ordinary, 64, x);
  stream.launch(risky, 64, x, 3u);
  const auto receipt = stream.wait();
  ASSERT_TRUE(receipt) << receipt.error().describe();
  ASSERT_EQ(receipt->launches.size(), 2u);
  EXPECT_EQ(receipt->launches[0].facts->quirks, std::vector<std::string>());
  EXPECT_EQ(receipt->launches[1].facts->quirks, std::vector<std::string>{"pocl-branch-in-uniform-loop"});
}

// A device that takes the given formats only.
Device open(std::vector<Format> formats, OpenOptions options = {}) {
  auto device = std::make_unique<layers::ForwardingDevice>(std::make_unique<backend::null::NullDevice>());
  device->limits.formats = std::move(formats);
  return Device(detail::Ref(new detail::DeviceState(std::move(device), std::move(options))));
}

auto twice() {
  return KernelSource<InOut<std::uint32_t>, Count>("twice")
      .cpu([](Item item, std::span<std::uint32_t> x, std::uint32_t) { x[item.x] *= 2; })
      .kernel();
}

TEST(Receipt, KeepsTheLastLaunchesAndCountsThemAll) {
  const Device device = open({Format::host_function});
  const auto x = device.buffer<std::uint32_t>(10'000).value();
  Stream stream = device.stream();
  for (std::uint32_t i = 1; i <= 100; ++i) stream.launch(twice(), i * 64, x);
  const Receipt receipt = stream.wait().value();
  EXPECT_EQ(receipt.launch_count, 100u);
  ASSERT_EQ(receipt.launches.size(), kReceiptLaunches);
  for (std::uint32_t i = 0; i < kReceiptLaunches; ++i) {
    EXPECT_EQ(receipt.launches[i].groups[0], 100 - kReceiptLaunches + 1 + i);
  }
  EXPECT_FALSE(receipt.launches[0].facts->executed);  // the null device says so
  const Receipt next = stream.wait().value();
  EXPECT_EQ(next.launch_count, 0u);
  EXPECT_TRUE(next.launches.empty());
}

TEST(Receipt, CountsCopiesAndTheirBytes) {
  const Device device = open({Format::host_function});
  const auto x = device.buffer<std::uint32_t>(100).value();
  const auto y = device.buffer<std::uint32_t>(100).value();
  std::vector<std::uint32_t> host(100);
  Stream stream = device.stream();
  stream.upload(host, x);
  stream.copy(x, y);
  stream.download(y, host);
  const Receipt receipt = stream.wait().value();
  EXPECT_EQ(receipt.copy_count, 3u);
  EXPECT_EQ(receipt.copied_bytes, 1200u);
}

// The hash in the receipt of a launch.
std::uint64_t hash_of(const Kernel<Out<std::uint32_t>>& kernel) {
  const Device device = open({Format::opencl_c});
  const auto x = device.buffer<std::uint32_t>(1024).value();
  Stream stream = device.stream();
  stream.launch(kernel, 1024, x);
  const Receipt receipt = stream.wait().value();
  return receipt.launches.at(0).facts->hash;
}

TEST(Receipt, HashesTellKernelsApart) {
  const auto source = [](std::string text) {
    return KernelSource<Out<std::uint32_t>>("k").opencl(std::move(text)).group(64);
  };
  const auto with = [&](CompileOptions options) { return source("a").kernel().with(std::move(options)); };
  using Optimise = CompileOptions::Optimise;
  const std::vector<Kernel<Out<std::uint32_t>>> kernels{
      source("a").kernel(),
      source("b").kernel(),
      source("a").group(32).kernel(),
      with({.optimise = Optimise::more}),
      with({.debug_info = true}),
      with({.fast_math = true}),
      with({.register_limit = 1}),
      with({.min_groups_per_unit = 1}),
      with({.defines = {{"A", "1"}}}),
      with({.defines = {{"A", "2"}}}),
      with({.defines = {{"B", "1"}}}),
      with({.defines = {{"A", "1"}, {"B", "1"}}}),
  };
  std::set<std::uint64_t> hashes;
  for (const auto& kernel : kernels) hashes.insert(hash_of(kernel));
  EXPECT_EQ(hashes.size(), kernels.size());
  EXPECT_EQ(hash_of(source("a").kernel()), hash_of(kernels[0]));
}

TEST(StandIn, IsRefusedUnlessAskedForWithTheListOfWhatThereIs) {
  const Device device = open({Format::spirv_shader, Format::opencl_c});
  const auto built = device.compile(twice());
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(built.error().cause(), Cause::no_kernels);
  EXPECT_EQ(
      built.error().message(),
      "[Kernel \"twice\"] has nothing for null:0 (null (runs no kernels)). It has: CPU function. The device "
      "takes: SPIR-V (shader), OpenCL C.");
  EXPECT_EQ(built.error().hint(),
            "Add code for this device, or allow its CPU function with kernel.with(cpu_stand_in()).");
}

TEST(StandIn, RunsWhereAskedForAndTheReceiptNamesIt) {
  const Device device = open({Format::spirv_shader});
  const auto x = device.upload(std::vector<std::uint32_t>(100, 21)).value();
  std::vector<std::uint32_t> host(100);
  Stream stream = device.stream();
  stream.launch(twice().with(cpu_stand_in()), 100, x);
  stream.download(x, host);
  const Receipt receipt = stream.wait().value();
  EXPECT_EQ(host, std::vector<std::uint32_t>(100, 42));
  ASSERT_EQ(receipt.launches.size(), 1u);
  EXPECT_EQ(receipt.launches[0].facts->format, Format::host_function);
  EXPECT_TRUE(receipt.launches[0].facts->executed);
  EXPECT_TRUE(receipt.launches[0].facts->substitution.starts_with("the CPU function ran on the host: "));
}

TEST(StandIn, IsRefusedInStrictMode) {
  OpenOptions strict;
  strict.strict = true;
  const Device device = open({Format::spirv_shader}, strict);
  const auto built = device.compile(twice().with(cpu_stand_in()));
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().cause(), Cause::no_kernels);
  EXPECT_EQ(built.error().hint(), "Strict mode does not let the CPU function stand in.");
}

TEST(StandIn, WhatItThrowsIsTheStreamsError) {
  const Device device = open({Format::spirv_shader});
  const auto x = device.buffer<std::uint32_t>(10).value();
  const auto thrower = KernelSource<InOut<std::uint32_t>, Count>("thrower")
                           .cpu([](Item, std::span<std::uint32_t>, std::uint32_t) {
                             throw Exception(Error(ErrorCode::internal, Category::kernel, "no luck"));
                           })
                           .kernel();
  Stream stream = device.stream();
  stream.launch(thrower.with(cpu_stand_in()), 10, x);
  const auto done = stream.wait();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message(), "The CPU function of [Kernel \"thrower\"] threw: no luck.");
  EXPECT_TRUE(stream.wait().has_value());
}

}  // namespace
}  // namespace collet
