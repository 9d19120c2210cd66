// Memory under ulimit -v: what does not fit is refused before a driver is asked.

#include "platform/address_space.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "collet/collet.hpp"

namespace collet {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

// Limits the process to `more` bytes beyond what it uses, for as long as it lives.
class Limit {
 public:
  explicit Limit(std::uint64_t more) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit some = before_;
    some.rlim_cur = std::uint64_t{1} << 62;  // for address_space() to say what is used
    setrlimit(RLIMIT_AS, &some);
    some.rlim_cur = platform::address_space().value().used + more;
    setrlimit(RLIMIT_AS, &some);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

TEST(AddressSpace, IsUnlimitedUnlessSomebodySaysSo) {
  rlimit now{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &now), 0);
  EXPECT_EQ(platform::address_space().has_value(), now.rlim_cur != RLIM_INFINITY);
  const Limit limit(512 * kMiB);
  const auto space = platform::address_space();
  ASSERT_TRUE(space);
  EXPECT_GT(space->used, 0u);
  EXPECT_LE(space->used, space->limit);
}

TEST(AddressSpace, WhatDoesNotFitIsOutOfMemoryWithFigures) {
  const Device device = Device::open("null").value();
  const Limit limit(512 * kMiB);
  EXPECT_TRUE(device.buffer<std::byte>(64 * kMiB, {.label = "small", .zeroed = false}));
  const auto large = device.buffer<std::byte>(480 * kMiB, {.label = "large", .zeroed = false});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code(), ErrorCode::out_of_memory);
  EXPECT_EQ(large.error().cause(), Cause::allocation_failed);
  EXPECT_TRUE(large.error().message().starts_with(
      "503316480 bytes do not fit into the address space of this process: its limit is "))
      << large.error().message();
  EXPECT_EQ(large.error().hint(), "Raise the limit (ulimit -v), or ask for less.");
}

TEST(AddressSpace, WithoutALimitNothingIsRefused) {
  const Device device = Device::open("null").value();
  EXPECT_TRUE(device.buffer<std::byte>(480 * kMiB, {.label = {}, .zeroed = false}));
}

}  // namespace
}  // namespace collet
