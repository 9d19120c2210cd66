// Receipts: what ran, how often, and that nothing else did.

#include <set>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"

namespace conformance {

CONFORMANCE_TEST(Receipt, NamesTheDeviceAndItsDriver) {
  auto stream = device.stream();
  const auto receipt = stream.wait().value();
  ASSERT_NE(receipt.device, nullptr);
  EXPECT_EQ(receipt.device->id, device.info().id());
  EXPECT_EQ(receipt.device->name, device.name());
  EXPECT_EQ(receipt.device->driver, device.info().driver);
  EXPECT_FALSE(receipt.device->name.empty());
}

CONFORMANCE_TEST(Receipt, OfNoWorkIsEmpty) {
  auto stream = device.stream();
  const auto receipt = stream.wait().value();
  EXPECT_EQ(receipt.launch_count, 0u);
  EXPECT_EQ(receipt.copy_count, 0u);
  EXPECT_EQ(receipt.copied_bytes, 0u);
  EXPECT_TRUE(receipt.launches.empty());
}

CONFORMANCE_TEST(Receipt, NamesTheKernelItsFormatAndItsGrid) {
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), 1000, buffer);
  const auto receipt = stream.wait().value();
  ASSERT_EQ(receipt.launches.size(), 1u);
  const collet::LaunchRecord& launch = receipt.launches[0];
  EXPECT_EQ(launch.facts->kernel, "increment");
  EXPECT_EQ(launch.facts->format, device.compile(kernels::increment()).value().format);
  EXPECT_TRUE(launch.facts->executed);
  EXPECT_EQ(launch.facts->substitution, "");
  EXPECT_EQ(launch.groups, (std::array<uint32_t, 3>{16, 1, 1}));
  EXPECT_EQ(launch.facts->group_size, (std::array<uint32_t, 3>{64, 1, 1}));
}

CONFORMANCE_TEST(Receipt, CountsEveryLaunchAndKeepsTheLast) {
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  for (uint32_t i = 1; i <= 100; ++i) stream.launch(kernels::increment(), i * 64 % 1000 + 1, buffer);
  const auto receipt = stream.wait().value();
  EXPECT_EQ(receipt.launch_count, 100u);
  ASSERT_EQ(receipt.launches.size(), collet::kReceiptLaunches);
  for (std::size_t i = 0; i < collet::kReceiptLaunches; ++i) {
    const auto launch = static_cast<uint32_t>(100 - collet::kReceiptLaunches + i + 1);
    EXPECT_EQ(receipt.launches[i].groups[0], (launch * 64 % 1000) / 64 + 1) << i;
  }
}

CONFORMANCE_TEST(Receipt, CountsCopiesAndTheirBytes) {
  auto first = device.buffer<uint32_t>(1000).value();
  auto second = device.buffer<uint32_t>(1000).value();
  Words host(1000);
  auto stream = device.stream();
  stream.upload(host, first);                // 4,000
  stream.copy(first, second);                // 4,000
  stream.fill(second.slice(0, 10), 1u);      // 40
  stream.download(second, std::span(host));  // 4,000
  const auto receipt = stream.wait().value();
  EXPECT_EQ(receipt.copy_count, 4u);
  EXPECT_EQ(receipt.copied_bytes, 12'040u);
  EXPECT_EQ(receipt.launch_count, 0u);
}

CONFORMANCE_TEST(Receipt, BeginsAfreshAfterAWait) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), 64, buffer);
  stream.fill(buffer, 1u);
  EXPECT_EQ(stream.wait().value().launch_count, 1u);
  stream.launch(kernels::increment(), 64, buffer);
  stream.launch(kernels::iota(), 64, buffer, 1u);
  const auto receipt = stream.wait().value();
  EXPECT_EQ(receipt.launch_count, 2u);
  EXPECT_EQ(receipt.copy_count, 0u);
  EXPECT_EQ(receipt.launches.at(1).facts->kernel, "iota");
  EXPECT_EQ(stream.wait().value().launch_count, 0u);
}

CONFORMANCE_TEST(Receipt, AfterATimeoutStillCountsAllOfIt) {
  auto buffer = device.upload(Words{1}).value();
  auto stream = device.stream();
  for (int i = 0; i < 400; ++i) stream.launch(kernels::spin(), 1, buffer, kernels::kSpinRounds);
  EXPECT_FALSE(stream.wait(collet::Deadline::in(std::chrono::seconds(0))));
  EXPECT_EQ(stream.wait().value().launch_count, 400u);
}

CONFORMANCE_TEST(Receipt, DoesNotCountWhatWasRefused) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::copy(), 64, buffer, buffer);
  stream.launch(kernels::increment(), 64, buffer);  // skipped
  EXPECT_FALSE(stream.wait());
  stream.launch(kernels::increment(), 64, buffer);
  const auto receipt = stream.wait().value();
  EXPECT_EQ(receipt.launch_count, 1u);
  EXPECT_EQ(receipt.launches.size(), 1u);
}

CONFORMANCE_TEST(Receipt, DoesNotCountEmptyWork) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), 0, buffer);
  stream.fill(buffer.slice(0, 0), 1u);
  const auto receipt = stream.wait().value();
  EXPECT_EQ(receipt.launch_count, 0u);
  EXPECT_EQ(receipt.copy_count, 0u);
}

CONFORMANCE_TEST(Receipt, HashTellsKernelsShapesAndOptionsApart) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), 64, buffer);
  stream.launch(kernels::increment().with(collet::group(32)), 64, buffer);
  stream.launch(kernels::increment().with(collet::CompileOptions{.fast_math = true}), 64, buffer);
  stream.launch(kernels::iota(), 64, buffer, 1u);
  const auto receipt = stream.wait().value();
  std::set<uint64_t> hashes;
  for (const auto& launch : receipt.launches) hashes.insert(launch.facts->hash);
  EXPECT_EQ(hashes.size(), 4u);
  EXPECT_FALSE(hashes.contains(0));
}

CONFORMANCE_TEST(Receipt, HashIsTheSameForTheSameKernel) {
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  stream.launch(kernels::fresh_increment(), 64, buffer);
  stream.launch(kernels::fresh_increment(), 64, buffer);
  const auto receipt = stream.wait().value();
  EXPECT_EQ(receipt.launches.at(0).facts->hash, receipt.launches.at(1).facts->hash);
}

CONFORMANCE_TEST(Receipt, DescribesItselfInWords) {
  auto buffer = device.buffer<uint32_t>(1000).value();
  auto stream = device.stream();
  stream.launch(kernels::increment(), 1000, buffer);
  const std::string text = stream.wait().value().describe();
  for (const std::string& word :
       {device.info().id(), device.name(), std::string("increment"), std::string("1 launch")}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " is not in " << text;
  }
}

}  // namespace conformance
