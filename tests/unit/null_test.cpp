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

}  // namespace
}  // namespace collet
