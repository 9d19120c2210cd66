// Cache files that other users could have written are neither read nor written.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "discovery/cache.hpp"
#include "unit/captured_log.hpp"
#include "unit/folder.hpp"
#include "unit/variables.hpp"

namespace collet::discovery {
namespace {

constexpr uid_t kNobody = 65534;

class CacheTrust : public testing::Test {
 protected:
  void SetUp() override {
    const mode_t before = umask(0);
    remember(key_, record());
    umask(before);
    ASSERT_TRUE(recall(key_));
  }
  static Record record() {
    Record made;
    made.backend.id = "vulkan";
    return made;
  }

  static void change(const std::string& path, mode_t mode) { ASSERT_EQ(chmod(path.c_str(), mode), 0); }

  Folder folder_;
  std::string cache_ = folder_.path("cache");
  test::Setting where_{"COLLET_CACHE_DIR", cache_};
  CacheKey key_ = cache_key("vulkan", {}, {}, {});
};

TEST_F(CacheTrust, NobodyElseMayReadOrWriteIt) {
  struct stat facts{};
  ASSERT_EQ(stat(key_.file.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0600u);
  ASSERT_EQ(stat(cache_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0700u);
}

TEST_F(CacheTrust, OneThatOthersCouldHaveWrittenIsNotReadAndTheLogSaysSoOnce) {
  const test::CapturedLog log;
  change(key_.file, 0666);
  EXPECT_FALSE(recall(key_));
  EXPECT_FALSE(recall(key_));
  EXPECT_EQ(log.count("warn discovery: The results of probes are not kept in " + key_.file,
                      "can be written by other users (mode 0666)"),
            1u);
  remember(key_, record());  // in its place
  EXPECT_TRUE(recall(key_));
  change(cache_, 0777);
  EXPECT_FALSE(recall(key_));
  std::filesystem::remove(key_.file);
  remember(key_, record());
  EXPECT_FALSE(std::filesystem::exists(key_.file)) << "it is not written where it would not be read";
}

TEST_F(CacheTrust, OneOfAnotherUserIsNotRead) {
  if (geteuid() != 0) GTEST_SKIP() << "Only root can give files away.";
  ASSERT_EQ(chown(key_.file.c_str(), kNobody, 0), 0);
  EXPECT_FALSE(recall(key_));
}

}  // namespace
}  // namespace collet::discovery
