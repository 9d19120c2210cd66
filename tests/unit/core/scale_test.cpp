// Scale on the null device: what the core alone costs when there is very much of everything.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "collet/collet.hpp"

namespace collet {
namespace {

TEST(Scale, HundredThousandLiveBuffersAreEachUsable) {
  constexpr std::uint32_t kCount = 100'000;
  const Device device = Device::open("null").value();
  std::vector<Buffer<std::uint32_t>> buffers;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    auto buffer = device.buffer<std::uint32_t>(4);
    ASSERT_TRUE(buffer) << buffer.error();
    buffers.push_back(std::move(*buffer));
  }
  const MemoryUsage usage = device.memory_usage();
  EXPECT_EQ(usage.buffers, kCount);
  EXPECT_LE(usage.blocks, kCount / 10'000);

  std::vector<std::uint32_t> host(kCount);
  Stream stream = device.stream();
  for (std::uint32_t i = 0; i < kCount; ++i) stream.fill(buffers[i], i);
  for (std::uint32_t i = 0; i < kCount; ++i) stream.download(buffers[i].slice(3, 1), {&host[i], 1});
  ASSERT_TRUE(stream.wait());
  for (std::uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(host[i], i);

  buffers.clear();
  EXPECT_EQ(device.memory_usage().used, 0u);
}

TEST(Scale, SixteenDevicesOpenAtOnceKeepTheirBytesApart) {
  std::vector<Device> devices;
  std::vector<Buffer<std::uint32_t>> buffers;
  for (std::uint32_t i = 0; i < 16; ++i) {
    devices.push_back(Device::open("null").value());
    buffers.push_back(devices.back().upload(std::vector<std::uint32_t>(1000, i)).value());
  }
  for (std::uint32_t i = 0; i < 16; ++i) {
    std::vector<std::uint32_t> host(1000);
    Stream stream = devices[i].stream();
    stream.download(buffers[i], host);
    ASSERT_TRUE(stream.wait());
    EXPECT_EQ(host, std::vector<std::uint32_t>(1000, i));
    EXPECT_EQ(devices[i].memory_usage().buffers, 1u);
  }
}

}  // namespace
}  // namespace collet
