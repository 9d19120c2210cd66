// Compiling: logs, options, entry points, and everything that a kernel is refused for.

#include <array>
#include <future>
#include <string>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"
#include "conformance/sources.hpp"

namespace conformance {
namespace {

using collet::Count;
using collet::In;
using collet::InOut;
using collet::Module;
using collet::Out;
using collet::Value;

// The same two entry points as kernels/two_entries.spvasm.
constexpr std::string_view kTwoEntries = R"(
__kernel void add_one(__global uint* x, uint count) {
  if (get_global_id(0) < count) x[get_global_id(0)] += 1;
}
__kernel void times_two(__global uint* x, uint count) {
  if (get_global_id(0) < count) x[get_global_id(0)] *= 2;
}
)";

constexpr std::string_view kTwoEntriesWgsl = R"(
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
struct Constants { count: u32 }
@group(0) @binding(1) var<uniform> constants: Constants;
@compute @workgroup_size(64) fn add_one(@builtin(global_invocation_id) item: vec3<u32>) {
  if (item.x < constants.count) { x[item.x] += 1u; }
}
@compute @workgroup_size(64) fn times_two(@builtin(global_invocation_id) item: vec3<u32>) {
  if (item.x < constants.count) { x[item.x] *= 2u; }
}
)";

constexpr std::string_view kTwoEntriesCuda = R"(
extern "C" __global__ void add_one(unsigned* x, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] += 1;
}
extern "C" __global__ void times_two(unsigned* x, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] *= 2;
}
)";

constexpr std::string_view kDefinedCuda = R"(
extern "C" __global__ void defined(unsigned* x, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = (VALUE) + EXTRA;
}
)";

constexpr std::string_view kDefined = R"(
__kernel void defined(__global uint* x, uint count) {
  if (get_global_id(0) < count) x[get_global_id(0)] = (VALUE) + EXTRA;
}
)";

constexpr std::string_view kTwoEntriesGlsl = R"(
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint x[]; };
layout(std140, binding = 0) uniform Constants { uint count; };
void add_one() {
  if (gl_GlobalInvocationID.x < count) x[gl_GlobalInvocationID.x] += 1u;
}
void times_two() {
  if (gl_GlobalInvocationID.x < count) x[gl_GlobalInvocationID.x] *= 2u;
}
)";

constexpr std::string_view kDefinedGlsl = R"(
layout(local_size_x = COLLET_GROUP_X) in;
layout(std430, binding = 0) buffer Buffer0 { uint x[]; };
layout(std140, binding = 0) uniform Constants { uint count; };
void main() {
  if (gl_GlobalInvocationID.x < count) x[gl_GlobalInvocationID.x] = uint((VALUE) + EXTRA);
}
)";

constexpr std::string_view kBrokenGlsl =
    "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer Buffer0 { uint x[]; };\n"
    "void main() { x[0] = undeclared_thing; }\n";

// Code for every kind of device but the CPU, so that the entry point is really looked for.
Module two_entries() {
  Module module("two entries");
  module.spirv(collet_embedded::two_entries_spv)
      .opencl(kTwoEntries)
      .cuda(kTwoEntriesCuda)
      .wgsl(kTwoEntriesWgsl);
  sources::add_glsl(module, kTwoEntriesGlsl);
  return module;
}

std::string name(collet::Format format) { return std::string(to_string(format)); }

bool mentions(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& one) { return one.starts_with(name); });
}

}  // namespace

CONFORMANCE_TEST(Compile, ReportsTheFormatThatItBuilt) {
  const auto report = device.compile(sources::fresh_increment());
  ASSERT_OK(report);
  EXPECT_TRUE(takes(device, report->format)) << to_string(report->format);
  EXPECT_TRUE(report->ignored_options.empty());
}

CONFORMANCE_TEST(Compile, MayBeRepeated) {
  const auto kernel = sources::fresh_increment();
  const auto first = device.compile(kernel);
  const auto second = device.compile(kernel);
  ASSERT_OK(first);
  ASSERT_OK(second);
  EXPECT_EQ(first->format, second->format);
  EXPECT_EQ(first->log, second->log);
}

CONFORMANCE_TEST(Compile, AheadMakesTheLaunchNoDifferent) {
  const auto kernel = sources::fresh_increment();
  ASSERT_OK(device.compile(kernel));
  auto buffer = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  stream.launch(kernel, 100, buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(100, 1));
}

CONFORMANCE_TEST(Compile, InTheBackground) {
  const auto kernel = sources::fresh_increment();
  auto future = device.compile_async(kernel);
  const auto report = future.get();
  ASSERT_OK(report);
  EXPECT_TRUE(takes(device, report->format));
}

CONFORMANCE_TEST(Compile, InTheBackgroundMayBeForgotten) {
  auto buffer = device.buffer<uint32_t>(100).value();
  auto stream = device.stream();
  for (int i = 0; i < 5; ++i) {
    const auto kernel = sources::fresh_increment();
    (void)device.compile_async(kernel);
    stream.launch(kernel, 100, buffer);
  }
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), Words(100, 5));
}

CONFORMANCE_TEST(Compile, OneKernelFromManyThreads) {
  const auto kernel = sources::fresh_increment();
  std::vector<std::future<collet::Result<collet::BuildReport>>> reports;
  for (int i = 0; i < 16; ++i) reports.push_back(device.compile_async(kernel));
  for (auto& report : reports) EXPECT_OK(report.get());
}

CONFORMANCE_TEST(Compile, OfBrokenSourceFailsWithTheCompilersWords) {
  auto source =
      collet::KernelSource<Out<uint32_t>, Count>("broken")
          .opencl("__kernel void broken(__global uint* x, uint n) { x[0] = undeclared_thing; }")
          .cuda("extern \"C\" __global__ void broken(unsigned* x, unsigned n) { x[0] = undeclared_thing; }")
          .wgsl(
              "@group(0) @binding(0) var<storage, read_write> x: array<u32>;\n"
              "@compute @workgroup_size(64) fn broken() { x[0] = undeclared_thing; }");
  sources::add_glsl(source, kBrokenGlsl);
  const auto broken = source.kernel();
  expect_cause(device.compile(broken), ErrorCode::build_failed, Cause::module_failed,
               {"undeclared_thing", "broken"});
}

CONFORMANCE_TEST(Compile, FailureReachesTheStreamThatLaunches) {
  auto bad = collet::KernelSource<Out<uint32_t>, Count>("bad");
  const std::array<uint32_t, 8> noise{1, 2, 3, 4, 5, 6, 7, 8};
  bad.opencl("this is no kernel").cuda("this is no kernel").wgsl("this is no kernel");
  bad.glsl("this is no kernel").glsl_es("this is no kernel").spirv(std::span<const uint32_t>(noise));
  const auto kernel = bad.kernel();
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernel, 64, buffer);
  auto done = stream.wait();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().category(), collet::Category::compilation) << done.error();
  EXPECT_NE(done.error().describe().find("bad"), std::string::npos) << done.error();
  EXPECT_OK(stream.wait());
}

CONFORMANCE_TEST(Compile, FailureIsTheSameEveryTime) {
  const auto kernel = collet::KernelSource<Out<uint32_t>, Count>("missing", two_entries()).group(64).kernel();
  const auto first = device.compile(kernel);
  const auto second = device.compile(kernel);
  ASSERT_FALSE(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(first.error().message(), second.error().message());
  EXPECT_EQ(first.error().code(), second.error().code());
}

CONFORMANCE_TEST(Compile, DamagedSpirvIsRefusedBeforeTheDriverSeesIt) {
  const auto good = collet_embedded::increment_spv;
  for (std::size_t at = 20; at < good.size(); at += 44) {
    std::vector<std::byte> damaged(good.begin(), good.end());
    damaged[at] ^= std::byte{0xff};
    damaged[at + 1] ^= std::byte{0x7f};
    collet::KernelSource<InOut<uint32_t>, Count> source("increment");
    source.spirv(std::span<const std::byte>(damaged));
    auto built = device.compile(source.kernel());
    if (built) continue;  // a name or a number of no consequence
    EXPECT_FALSE(built.error().native_name().starts_with("VK_")) << at << ": " << built.error();
    EXPECT_TRUE(built.error().code() == ErrorCode::build_failed ||
                built.error().code() == ErrorCode::unsupported)
        << at << ": " << built.error();
  }
  std::vector<std::byte> damaged(good.begin(), good.end());
  damaged[0] ^= std::byte{0xff};  // the magic number
  collet::KernelSource<InOut<uint32_t>, Count> source("increment");
  source.spirv(std::span<const std::byte>(damaged));
  expect_cause(device.compile(source.kernel()), ErrorCode::build_failed, Cause::module_failed);
}

CONFORMANCE_TEST(Compile, TruncatedSpirvIsRefused) {
  const auto good = collet_embedded::increment_spv;
  for (const std::size_t size : {std::size_t{1}, std::size_t{4}, std::size_t{19}, std::size_t{20},
                                 good.size() / 2, good.size() - 4, good.size() - 1}) {
    collet::KernelSource<InOut<uint32_t>, Count> source("increment");
    source.spirv(good.first(size));
    expect_error(device.compile(source.kernel()), ErrorCode::build_failed);
  }
}

CONFORMANCE_TEST(Compile, MissingEntryIsRefusedWithTheListOfThoseThere) {
  const auto kernel =
      collet::KernelSource<InOut<uint32_t>, Count>("add_three", two_entries()).group(64).kernel();
  expect_cause(device.compile(kernel), ErrorCode::build_failed, Cause::kernel_not_found,
               {"add_three", "add_one", "times_two"});
}

CONFORMANCE_TEST(Compile, SeveralEntriesOfOneModuleRun) {
  const Module module = two_entries();
  const auto add_one = collet::KernelSource<InOut<uint32_t>, Count>("add_one", module)
                           .group(64)
                           .cpu([](collet::Item item, std::span<uint32_t> x, uint32_t) { x[item.x] += 1; })
                           .kernel();
  const auto times_two = collet::KernelSource<InOut<uint32_t>, Count>("times_two", module)
                             .group(64)
                             .cpu([](collet::Item item, std::span<uint32_t> x, uint32_t) { x[item.x] *= 2; })
                             .kernel();
  auto buffer = device.upload(counting(1000)).value();
  auto stream = device.stream();
  stream.launch(add_one, 1000, buffer);
  stream.launch(times_two, 1000, buffer);
  stream.launch(add_one, 1000, buffer);
  ASSERT_OK(stream.wait());
  Words expected = counting(1000);
  for (uint32_t& word : expected) word = (word + 1) * 2 + 1;
  EXPECT_EQ(read(device, buffer), expected);
}

CONFORMANCE_TEST(Compile, FewerBuffersThanTheCodeUsesAreRefused) {
  // copy takes two buffers and the count.
  auto source = collet::KernelSource<In<uint32_t>, Count>("copy")
                    .spirv(collet_embedded::copy_spv)
                    .opencl(collet_embedded::copy_cl)
                    .cuda(std::string(sources::kCuda) + std::string(collet_embedded::copy_cu))
                    .wgsl(collet_embedded::copy_wgsl);
  sources::add_glsl(source, collet_embedded::copy_glsl);
  const auto kernel = source.kernel();
  expect_cause(device.compile(kernel), ErrorCode::build_failed, Cause::argument_count, {"copy", "signature"});
}

CONFORMANCE_TEST(Compile, MoreArgumentsThanTheCodeTakesAreRefusedWithBothFigures) {
  const auto kernel =
      collet::KernelSource<In<uint32_t>, Out<uint32_t>, Value<float>, Value<float>, Count>("copy")
          .spirv(collet_embedded::copy_spv)
          .opencl(collet_embedded::copy_cl)
          .cuda(std::string(sources::kCuda) + std::string(collet_embedded::copy_cu))
          .kernel();
  expect_cause(device.compile(kernel), ErrorCode::build_failed, Cause::argument_count, {"copy", "3", "5"});
}

CONFORMANCE_TEST(Compile, AnotherGroupSizeThanTheCodeFixesIsRefusedWithBothFigures) {
  const auto kernel = sources::fixed_group().with(collet::group(32));
  expect_cause(device.compile(kernel), ErrorCode::build_failed, Cause::pipeline_failed, {"32", "64"});
}

CONFORMANCE_TEST(Compile, SharedBytesThatTheCodeDoesNotTakeAreRefused) {
  const auto kernel = sources::fresh_increment().with(collet::shared_bytes(256));
  expect_error(device.compile(kernel), ErrorCode::build_failed, {"increment"});
}

CONFORMANCE_TEST(Compile, WithoutAnyCodeIsRefused) {
  const auto kernel = collet::KernelSource<Out<uint32_t>, Count>("hollow").kernel();
  expect_cause(device.compile(kernel), ErrorCode::unsupported, Cause::no_kernels, {"hollow"});
}

CONFORMANCE_TEST(Compile, WithoutAnyBufferIsRefused) {
  const auto kernel =
      collet::KernelSource<Value<uint32_t>>("blind").opencl("__kernel void blind(uint x) {}").kernel();
  expect_cause(device.compile(kernel), ErrorCode::invalid_argument, Cause::no_arguments, {"blind"});
}

CONFORMANCE_TEST(Compile, WithNothingForThisDeviceIsRefusedWithTheListOfWhatThereIs) {
  const auto kernel = collet::KernelSource<Out<uint32_t>, Count>("foreign")
                          .msl("kernel void foreign() {}")
                          .ptx(".version 7.0", "sm_10")
                          .kernel();
  expect_cause(device.compile(kernel), ErrorCode::unsupported, Cause::no_kernels,
               {"foreign", name(collet::Format::msl), name(collet::Format::ptx) + " for sm_10",
                device.info().id(), name(caps(device).formats[0])});
}

CONFORMANCE_TEST(Compile, DefinesReachTheCode) {
  collet::KernelSource<Out<uint32_t>, Count> source("defined");
  sources::add_glsl(source, kDefinedGlsl);
  source.opencl(kDefined).cuda(kDefinedCuda).options({.defines = {{"VALUE", "40 + 1"}, {"EXTRA", "1"}}});
  auto buffer = device.buffer<uint32_t>(10).value();
  auto stream = device.stream();
  stream.launch(source.kernel(), 10, buffer);
  stream.launch(source.kernel().with(collet::CompileOptions{.defines = {{"VALUE", "7"}, {"EXTRA", "0"}}}), 5,
                buffer);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, buffer), (Words{7, 7, 7, 7, 7, 42, 42, 42, 42, 42}));
}

CONFORMANCE_TEST(Compile, DefinesAreRefusedWhereTheCodeIsNoText) {
  const auto kernel = sources::fresh_increment().with(collet::CompileOptions{.defines = {{"VALUE", "7"}}});
  const auto built = device.compile(kernel);
  if (takes(device, collet::Format::opencl_c) || takes(device, collet::Format::cuda) ||
      takes(device, collet::Format::glsl) || takes(device, collet::Format::glsl_es)) {
    ASSERT_OK(built);
    return;
  }
  expect_error(built, ErrorCode::unsupported, {"define", "increment"});
}

CONFORMANCE_TEST(Compile, OptionsThatAreNotHonouredAreNamed) {
  const auto kernel =
      sources::fresh_increment().with(collet::CompileOptions{.register_limit = 32, .min_groups_per_unit = 2});
  const auto report = device.compile(kernel);
  ASSERT_OK(report);
  EXPECT_EQ(mentions(report->ignored_options, "register_limit"), !takes(device, collet::Format::cuda));
  EXPECT_TRUE(mentions(report->ignored_options, "min_groups_per_unit"));

  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernel, 64, buffer);
  const auto receipt = stream.wait();
  ASSERT_OK(receipt);
  EXPECT_EQ(receipt->launches.at(0).facts->ignored_options, report->ignored_options);
  EXPECT_NE(receipt->describe().find("min_groups_per_unit"), std::string::npos) << receipt->describe();
}

// Compilers of OpenCL C take some of them; CUDA's alone tell degrees of optimisation apart.
CONFORMANCE_TEST(Compile, EachOptionThatIsNotHonouredIsNamed) {
  using Optimise = collet::CompileOptions::Optimise;
  for (const Optimise level : {Optimise::less, Optimise::more, Optimise::most}) {
    const auto report =
        device.compile(sources::fresh_increment().with(collet::CompileOptions{.optimise = level}));
    ASSERT_OK(report);
    EXPECT_EQ(mentions(report->ignored_options, "optimise"), !takes(device, collet::Format::cuda))
        << static_cast<int>(level);
  }
  const auto report = device.compile(
      sources::fresh_increment().with(collet::CompileOptions{.debug_info = true, .fast_math = true}));
  ASSERT_OK(report);
  const bool compiled = takes(device, collet::Format::opencl_c) || takes(device, collet::Format::cuda);
  EXPECT_EQ(mentions(report->ignored_options, "fast_math"), !compiled);
  EXPECT_TRUE(compiled || mentions(report->ignored_options, "debug_info"));
}

CONFORMANCE_TEST(Compile, EveryOptimisationLevelComputesTheSame) {
  using Optimise = collet::CompileOptions::Optimise;
  for (const Optimise level :
       {Optimise::standard, Optimise::none, Optimise::less, Optimise::more, Optimise::most}) {
    const auto kernel = sources::spin().with(collet::CompileOptions{.optimise = level});
    auto buffer = device.upload(pattern(100)).value();
    auto stream = device.stream();
    stream.launch(kernel, 100, buffer, 100u);
    ASSERT_OK(stream.wait());
    Words expected = pattern(100);
    for (uint32_t& word : expected) word = kernels::spun(word, 100);
    EXPECT_EQ(read(device, buffer), expected) << static_cast<int>(level);
  }
}

CONFORMANCE_TEST(Compile, DebugInformationAndFastMathDoNoHarm) {
  const auto kernel = sources::saxpy().with(collet::CompileOptions{.debug_info = true, .fast_math = true});
  auto x = device.upload(std::vector<float>{1, 2, 3}).value();
  auto y = device.upload(std::vector<float>{10, 20, 30}).value();
  auto stream = device.stream();
  stream.launch(kernel, 3, x, y, 2.0f);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, y), (std::vector<float>{12, 24, 36}));
}

CONFORMANCE_TEST(Compile, WhatTheDriverSaysOfAKernelIsPossible) {
  const auto kernel = collet::kernel("figures", [](collet::InOut<uint32_t> x) {
                        const auto words = collet::shared<uint32_t>(64);
                        words[collet::local_id()] = x[collet::global_id()];
                        collet::barrier();
                        x[collet::global_id()] = words[63u - collet::local_id()];
                      }).with(collet::group(64));
  const auto report = device.compile(kernel);
  ASSERT_OK(report);
  const collet::DeviceInfo& info = device.info();
  if (report->shared_bytes) {
    EXPECT_GE(*report->shared_bytes, 64 * sizeof(uint32_t));
    EXPECT_LE(*report->shared_bytes, info.shared_memory_per_group.value_or(~uint64_t{0}));
  }
  if (report->groups_per_unit) {
    EXPECT_GE(*report->groups_per_unit, 1U);
  }
  if (report->registers && info.registers_per_group) {
    EXPECT_LE(*report->registers * 64, *info.registers_per_group);
  }
}

CONFORMANCE_TEST(Compile, FeaturesThatTheDeviceLacksAreRefused) {
  const auto wide = device.compile(sources::wide());
  const auto doubles = device.compile(sources::doubles());
  if (device.info().i64.value_or(true)) {
    EXPECT_OK(wide);
  } else {
    expect_error(wide, ErrorCode::unsupported);
  }
  if (device.info().f64.value_or(true)) {
    EXPECT_OK(doubles);
  } else {
    expect_error(doubles, ErrorCode::unsupported);
  }
}

}  // namespace conformance
