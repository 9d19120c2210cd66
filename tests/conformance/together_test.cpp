// Every device of the run open at once in one process, each with work of its own.

#include "conformance/conformance.hpp"

namespace conformance {
namespace {

constexpr std::size_t kCount = 1000;
constexpr uint32_t kRounds = 50;

struct Working {
  collet::Stream stream;
  collet::Buffer<uint32_t> buffer;
  Words seen = Words(kCount);
};

CONFORMANCE_TEST(Together, EveryDeviceWorksWhileAllAreOpen) {
  const auto step = collet::kernel("step", [](collet::InOut<uint32_t> x) {
    const auto i = collet::global_id();
    x[i] = x[i] * 3u + i;
  });
  std::vector<Working> all;
  for (const collet::DeviceInfo& info : devices()) {
    const collet::Device one = opened(info).value();
    all.push_back({one.stream(), one.upload(counting(kCount, info.index)).value()});
  }
  // In turn, so that the devices work at the same time.
  for (uint32_t round = 0; round < kRounds; ++round) {
    for (Working& one : all) one.stream.launch(step, kCount, one.buffer);
  }
  for (Working& one : all) one.stream.download(one.buffer, std::span(one.seen));
  for (std::size_t at = 0; at < all.size(); ++at) {
    const auto receipt = all[at].stream.wait();
    ASSERT_OK(receipt) << devices()[at].id();
    EXPECT_EQ(receipt->device->id, devices()[at].id());
    Words expected = counting(kCount, devices()[at].index);
    for (uint32_t round = 0; round < kRounds; ++round) {
      for (uint32_t i = 0; i < kCount; ++i) expected[i] = expected[i] * 3 + i;
    }
    EXPECT_EQ(all[at].seen, expected) << devices()[at].id();
  }
}

}  // namespace
}  // namespace conformance
