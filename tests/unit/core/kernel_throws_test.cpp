// A host function that lets an exception out: an error of the stream that names the kernel, the group and
// what was thrown.

#include <gtest/gtest.h>

#include <collet_backends.hpp>
#include <stdexcept>

#include "collet/collet.hpp"

#if COLLET_HAS_CPU
namespace collet {
namespace {

template <class What>
Error thrown(What what) {
  const Device device = Device::open("cpu").value();
  const auto buffer = device.buffer<float>(4 * 32 * 2).value();
  const auto thrower = KernelSource<InOut<float>>("thrower")
                           .cpu([what](Item i, std::span<float>) {
                             if (i.x == 70 && i.y == 1) throw what;
                           })
                           .kernel();
  Stream stream = device.stream();
  stream.launch(thrower.with(group(32)), elements(128, 2), buffer);
  const auto done = stream.wait();
  if (!done) return done.error();
  return Error(ErrorCode::internal, Category::kernel, "nothing failed");
}

TEST(KernelThrows, AnExceptionIsNamedWithItsGroup) {
  const Error error = thrown(std::runtime_error("boom"));
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_EQ(error.message(), "[Kernel \"thrower\"] threw an exception: boom (in group 2, 1, 0).");
  EXPECT_EQ(error.hint(),
            "A host function must not let an exception out; the groups that had not started were skipped.");
}

TEST(KernelThrows, AnythingElseIsNamedAsSuch) {
  EXPECT_EQ(thrown(7).message(),
            "[Kernel \"thrower\"] threw something that is no std::exception (in group 2, 1, 0).");
}

}  // namespace
}  // namespace collet
#endif
