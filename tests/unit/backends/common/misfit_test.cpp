// The words of what does not fit between code and signature.

#include "backends/common/misfit.hpp"

#include <gtest/gtest.h>

namespace collet::backend::common {
namespace {

TEST(Misfit, NamesTheKernelsThatThereAre) {
  const std::array<std::string_view, 2> names{"first", "second"};
  const Error some = no_such_kernel("The module has no kernel", "third", names);
  EXPECT_EQ(some.message(), "The module has no kernel \"third\"; it has: first, second.");
  EXPECT_EQ(some.cause(), Cause::kernel_not_found);

  const Error none = no_such_kernel("The module has no kernel", "third", {});
  EXPECT_EQ(none.message(), "The module has no kernel \"third\"; it has: none.");
  EXPECT_EQ(none.cause(), Cause::no_kernels);
}

TEST(Misfit, SaysBothGroupSizes) {
  const Error error = other_group_size("The WGSL", "blur", {16, 16, 1}, {64, 1, 1});
  EXPECT_EQ(error.message(),
            "The WGSL fixes the group size of \"blur\" at 16x16x1, but the signature says 64x1x1.");
  EXPECT_EQ(error.code(), ErrorCode::build_failed);
}

}  // namespace
}  // namespace collet::backend::common
