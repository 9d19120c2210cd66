// How many files may still be opened.

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "platform/platform.hpp"

namespace collet::platform {
namespace {

// The lowest number that a new file would get.
rlim_t next_file() {
  const int file = open("/", O_RDONLY | O_CLOEXEC);
  close(file);
  return static_cast<rlim_t>(file);
}

TEST(Files, AreCountedUpToTheLimitAndNoneStaysOpen) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlim_t next = next_file();
  rlimit few = before;
  few.rlim_cur = next + 3;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const bool none = can_open_files(0);
  const bool three = can_open_files(3);
  const bool four = can_open_files(4);
  const rlim_t after = next_file();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(none && three);
  EXPECT_FALSE(four);
  EXPECT_EQ(after, next);
}

}  // namespace
}  // namespace collet::platform
