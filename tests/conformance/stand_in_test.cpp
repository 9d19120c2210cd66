// The CPU function in place of code that a kernel does not have: only where asked, named, never in strict
// mode.

#include <string>

#include "conformance/conformance.hpp"
#include "conformance/sources.hpp"

namespace conformance {
namespace {

using collet::Count;
using collet::In;
using collet::InOut;
using collet::MayAlias;
using collet::Out;
using collet::Value;

// Only a CPU function: nothing that a GPU API could run.
auto host_only() {
  return collet::KernelSource<InOut<uint32_t>, Count>("host_only")
      .cpu([](collet::Item item, std::span<uint32_t> x, uint32_t) { x[item.x] += 5; })
      .kernel();
}

}  // namespace

CONFORMANCE_TEST(Compile, CpuFunctionDoesNotStandInUnasked) {
  const auto kernel = host_only();
  const auto built = device.compile(kernel);
  if (takes(device, collet::Format::host_function)) {
    ASSERT_OK(built);
    return;
  }
  expect_cause(built, ErrorCode::unsupported, Cause::no_kernels,
               {"host_only", std::string(to_string(collet::Format::host_function)), "cpu_stand_in"});
}

CONFORMANCE_TEST(Compile, CpuFunctionStandsInWhereAskedAndTheReceiptSaysSo) {
  const auto kernel = host_only().with(collet::cpu_stand_in());
  auto buffer = device.upload(counting(1000)).value();
  Words host(1000);
  auto stream = device.stream();
  stream.launch(sources::increment(), 1000, buffer);
  for (int i = 0; i < 3; ++i) stream.launch(kernel, 1000, buffer);
  stream.launch(sources::increment(), 1000, buffer);
  stream.download(buffer, std::span(host));
  const auto receipt = stream.wait();
  ASSERT_OK(receipt);
  EXPECT_EQ(host, counting(1000, 17));
  ASSERT_EQ(receipt->launches.size(), 5u);
  const collet::KernelFacts& facts = *receipt->launches[1].facts;
  EXPECT_EQ(facts.format, collet::Format::host_function);
  EXPECT_TRUE(facts.executed);
  if (takes(device, collet::Format::host_function)) {
    EXPECT_EQ(facts.substitution, "");
  } else {
    EXPECT_NE(facts.substitution.find("CPU"), std::string::npos) << facts.substitution;
    EXPECT_NE(receipt->describe().find(facts.substitution), std::string::npos) << receipt->describe();
  }
}

CONFORMANCE_TEST(Compile, CpuFunctionStandsInForKernelsWithSlicesAndSharedMemory) {
  const auto sums = collet::KernelSource<In<uint32_t>, Out<uint32_t>, Value<uint32_t>, Count>("host_sums")
                        .group(32)
                        .shared_bytes(128)
                        .cpu([](const collet::Workgroup& group, std::span<const uint32_t> x,
                                std::span<uint32_t> out, uint32_t bias, uint32_t) {
                          auto* sum = group.shared<uint32_t>();
                          sum[0] = bias;
                          group.for_each([&](const collet::Item& item) { sum[0] += x[item.x]; });
                          out[group.id()] = sum[0];
                        })
                        .kernel()
                        .with(collet::cpu_stand_in());
  auto x = device.upload(counting(256)).value();
  auto out = device.buffer<uint32_t>(256).value();
  auto stream = device.stream();
  stream.launch(sums, 70, x.slice(64, 70), out.slice(128, 3), 1000u);
  ASSERT_OK(stream.wait());
  Words expected(256, 0);
  for (uint32_t g = 0; g < 3; ++g) {
    expected[128 + g] = 1000;
    for (uint32_t i = 32 * g; i < std::min(70u, 32 * g + 32); ++i) expected[128 + g] += 64 + i;
  }
  EXPECT_EQ(read(device, out), expected);
}

CONFORMANCE_TEST(Compile, StandInWithAliasedArgumentsIsRightOrRefused) {
  using Aliased = MayAlias<InOut<uint32_t>>;
  const auto kernel = collet::KernelSource<Aliased, Aliased, Count>("aliased")
                          .cpu([](collet::Item item, std::span<uint32_t> x, std::span<uint32_t> y, uint32_t) {
                            x[item.x] += 1;
                            y[item.x] += 2;
                          })
                          .kernel()
                          .with(collet::cpu_stand_in());
  auto buffer = device.upload(counting(100)).value();
  auto stream = device.stream();
  stream.launch(kernel, 100, buffer, buffer);
  auto done = stream.wait();
  if (done) {
    EXPECT_EQ(read(device, buffer), counting(100, 3));
  } else {
    expect_error(done, ErrorCode::unsupported, {"aliased"});
  }
}

CONFORMANCE_TEST(Compile, StandInIsRefusedInStrictMode) {
  auto strict = collet::Device::open(device.info().id(), {.strict = true}).value();
  const auto kernel = host_only().with(collet::cpu_stand_in());
  const auto built = strict.compile(kernel);
  if (takes(strict, collet::Format::host_function)) {
    ASSERT_OK(built);  // nothing is substituted here
    return;
  }
  expect_error(built, ErrorCode::unsupported, {"host_only", "trict"});
  auto buffer = strict.buffer<uint32_t>(64).value();
  auto stream = strict.stream();
  stream.launch(kernel, 64, buffer);
  EXPECT_FALSE(stream.wait());
  EXPECT_EQ(read(strict, buffer), Words(64, 0));
}

CONFORMANCE_TEST(Compile, StandInIsNotUsedWhereThereIsCode) {
  const auto kernel = sources::fresh_increment().with(collet::cpu_stand_in());
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernel, 64, buffer);
  const auto receipt = stream.wait();
  ASSERT_OK(receipt);
  EXPECT_EQ(receipt->launches.at(0).facts->substitution, "");
  EXPECT_EQ(read(device, buffer), Words(64, 1));
}

}  // namespace conformance
