// Who runs a queue of the CPU backend, and what becomes of one that nobody needs any more.

#include <gtest/gtest.h>

#include "collet/collet.hpp"
#include "doubles/heap_in_use.hpp"

namespace collet {
namespace {

TEST(CpuQueue, OneThatIsGivenBackIsUsedAgain) {
  const Device device = Device::open("cpu").value();
  const auto make_and_drop = [&](int times) {
    for (int i = 0; i < times; ++i) {
      Stream stream = device.stream();
      ASSERT_TRUE(stream.wait());
    }
  };
  make_and_drop(100);
  const std::size_t before = test::heap_in_use();
  make_and_drop(5000);
  EXPECT_LT(test::heap_in_use(), before + 100'000) << "20 bytes for each stream";
}

}  // namespace
}  // namespace collet
