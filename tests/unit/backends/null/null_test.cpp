// The null device: it runs no kernel, but its memory is memory.

#include <gtest/gtest.h>

#include <collet/collet.hpp>

#include <numeric>
#include <vector>

namespace collet {
namespace {

TEST(Null, FillsAndCopiesNoByteMoreThanAsked) {
  const Device device = Device::open("null").value();
  std::vector<std::uint32_t> words(16);
  std::iota(words.begin(), words.end(), 0u);
  const auto from = device.upload(words).value();
  const auto to = device.upload(words).value();
  auto stream = device.stream();
  stream.fill(to.slice(4, 2), 77u);
  stream.copy(from.slice(0, 3), to.slice(9, 3));
  std::vector<std::uint32_t> read(16, 0u);
  stream.download(to, std::span(read));
  ASSERT_TRUE(stream.wait());
  EXPECT_EQ(read, (std::vector<std::uint32_t>{0, 1, 2, 3, 77, 77, 6, 7, 8, 0, 1, 2, 12, 13, 14, 15}));
}

// What backend authors test against: a kernel that fits here fits a modest GPU.
TEST(Null, ItsGroupsAreThoseOfAModestGpu) {
  const Device device = Device::open("null").value();
  const auto refused = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const auto kernel = KernelSource<Out<float>>("k").group(x, y, z).opencl("kernel void k() {}").kernel();
    const auto compiled = device.compile(kernel);
    return compiled ? std::string() : compiled.error().message();
  };
  EXPECT_EQ(refused(1024, 1, 1), "");
  EXPECT_EQ(refused(1, 1024, 1), "");
  EXPECT_EQ(refused(1, 1, 64), "");
  const std::string begins = "[Kernel \"k\"] has ";
  const std::string ends = "; null (runs no kernels) takes at most ";
  EXPECT_EQ(refused(1025, 1, 1), begins + "1025 items per group in dimension 0" + ends + "1024.");
  EXPECT_EQ(refused(1, 1025, 1), begins + "1025 items per group in dimension 1" + ends + "1024.");
  EXPECT_EQ(refused(1, 1, 65), begins + "65 items per group in dimension 2" + ends + "64.");
  EXPECT_EQ(refused(1024, 2, 1), begins + "2048 items per group" + ends + "1024.");
}

}  // namespace
}  // namespace collet
