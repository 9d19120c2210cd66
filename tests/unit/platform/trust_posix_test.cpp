// Which files are believed: owners and modes of the file, of every folder above it and of links on the way.

#include "platform/trust.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "discovery/probe.hpp"
#include "unit/folder.hpp"
#include "unit/variables.hpp"

namespace collet::platform {
namespace {

constexpr uid_t kNobody = 65534;

class TrustTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(trusted_path(file_)) << trusted_path(file_).error().message(); }
  static std::string refusal(const std::string& path) {
    const auto trusted = trusted_path(path);
    return trusted ? "none" : trusted.error().message();
  }
  static void change(const std::string& path, mode_t mode) { ASSERT_EQ(chmod(path.c_str(), mode), 0); }
  static void give_away(const std::string& path) { ASSERT_EQ(lchown(path.c_str(), kNobody, 0), 0); }

  Folder folder_;
  std::string inner_ = folder_.path("inner");
  std::string file_ = [this] {
    const std::string path = folder_.write("inner/file", "x");
    chmod(inner_.c_str(), 0755);
    chmod(path.c_str(), 0755);
    return path;
  }();
};

TEST_F(TrustTest, OwnFilesInOwnFoldersBelowAStickyOneAreBelieved) {
  EXPECT_EQ(trusted_path(file_).value(), std::filesystem::canonical(file_).string());
  EXPECT_EQ(trusted_path(inner_ + "/../inner/./file").value(), std::filesystem::canonical(file_).string());
}

TEST_F(TrustTest, WhatOthersMayWriteIsNotBelieved) {
  for (const mode_t mode : {0777, 0757, 02777}) {
    change(file_, mode);
    EXPECT_TRUE(refusal(file_).starts_with("The file " + file_ + " can be written by other users (mode "))
        << refusal(file_);
    change(file_, 0755);
    change(inner_, mode);
    EXPECT_TRUE(refusal(file_).starts_with("The folder " + inner_ + " can be written by other users (mode "));
    change(inner_, 0755);
    change(folder_.path(), mode);
    EXPECT_TRUE(refusal(file_).starts_with("The folder " + folder_.path() + " can be written"));
    change(folder_.path(), 0755);
  }
  change(inner_, 01777);
  EXPECT_EQ(refusal(file_), "none") << "in a sticky folder only owners replace files";
}

TEST_F(TrustTest, AGroupMayWriteWhereItIsTheUsersOwn) {
  if (geteuid() != 0) GTEST_SKIP() << "Only root can give files to a group that it is not in.";
  for (const mode_t mode : {0775, 02775}) {
    change(inner_, mode);
    EXPECT_EQ(refusal(file_), "none") << "root's own group lists nobody else";
    ASSERT_EQ(chown(inner_.c_str(), 0, kNobody), 0);
    change(inner_, mode);
    EXPECT_TRUE(refusal(file_).starts_with("The folder " + inner_ + " can be written by other users (mode "));
    ASSERT_EQ(chown(inner_.c_str(), 0, 0), 0);
  }
}

TEST_F(TrustTest, WhatAnotherUserOwnsIsNotBelieved) {
  if (geteuid() != 0) GTEST_SKIP() << "Only root can give files away.";
  give_away(file_);
  EXPECT_EQ(refusal(file_), "The file " + file_ +
                                " belongs to another user (65534) than root and the one that this program "
                                "runs as (0).");
  ASSERT_EQ(chown(file_.c_str(), 0, 0), 0);
  give_away(inner_);
  EXPECT_TRUE(refusal(file_).starts_with("The folder " + inner_ + " belongs to another user (65534)"));
  ASSERT_EQ(chown(inner_.c_str(), 0, 0), 0);
  give_away(folder_.path());
  EXPECT_TRUE(refusal(file_).starts_with("The folder " + folder_.path() + " belongs to another user"));
}

TEST_F(TrustTest, ALinkIsFollowedAndEveryStepOfItLookedAt) {
  const std::string real = std::filesystem::canonical(file_).string();
  std::filesystem::create_symlink("inner/file", folder_.path("relative"));
  std::filesystem::create_symlink(real, folder_.path("absolute"));
  std::filesystem::create_symlink("absolute", folder_.path("twice"));
  for (const char* name : {"relative", "absolute", "twice"})
    EXPECT_EQ(trusted_path(folder_.path(name)).value(), real);
  std::filesystem::create_symlink("loop", folder_.path("loop"));
  EXPECT_NE(refusal(folder_.path("loop")).find("too many links"), std::string::npos);

  // A good file, reached through a folder in which others could turn the link elsewhere.
  std::filesystem::create_directory(folder_.path("open"));
  std::filesystem::create_symlink(real, folder_.path("open/link"));
  change(folder_.path("open"), 0777);
  EXPECT_TRUE(refusal(folder_.path("open/link")).starts_with("The folder " + folder_.path("open")));
  change(inner_, 0777);
  EXPECT_TRUE(refusal(folder_.path("twice")).starts_with("The folder " + inner_));
}

TEST_F(TrustTest, WhatIsNotThereIsNotBelieved) {
  EXPECT_EQ(refusal(folder_.path("none")),
            folder_.path("none") + " can't be looked at: No such file or directory.");
}

TEST_F(TrustTest, APrivateFolderIsForItsUserAlone) {
  const mode_t before = umask(0);
  const auto made = make_private_folder(folder_.path("a/b/c"));
  umask(before);
  ASSERT_TRUE(made);
  for (const char* name : {"a", "a/b", "a/b/c"}) {
    struct stat facts{};
    ASSERT_EQ(stat(folder_.path(name).c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 07777, 0700u) << name;
  }
  EXPECT_TRUE(make_private_folder(folder_.path("a/b/c")));
  EXPECT_FALSE(make_private_folder(file_ + "/below"));
}

TEST_F(TrustTest, AHelperThatIsChosenMustBeBelievedToo) {
  change(inner_, 0777);
  const test::Setting chosen("COLLET_PROBE", file_);
  const discovery::Helper helper = discovery::find_helper();
  EXPECT_EQ(helper.path, "");
  EXPECT_EQ(helper.note, "Drivers are probed in this process: COLLET_PROBE names a program (" + file_ +
                             ") that is not run. The folder " + inner_ +
                             " can be written by other users (mode 0777).");
}

}  // namespace
}  // namespace collet::platform
