// Child processes: how they end, what they say, and that they end.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "platform/platform.hpp"
#include "unit/folder.hpp"
#include "unit/variables.hpp"

namespace collet::platform {
namespace {

using test::Setting;

constexpr std::size_t kMost = 1 << 16;

Ended shell(const std::string& script, Deadline deadline = Deadline::in(std::chrono::seconds(30)),
            std::size_t most = kMost, std::vector<std::pair<std::string, std::string>> variables = {}) {
  const std::vector<std::string> arguments{"-c", script};
  return run_child("/bin/sh", arguments, variables, deadline, most).value();
}

TEST(Child, ItsStreamsAndItsExitCodeAreKept) {
  const Ended ended = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(ended.how, Ended::How::exited);
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.output, "out\n");
  EXPECT_EQ(ended.errors, "err\n");
}

TEST(Child, ASignalIsNamed) {
  const Ended ended = shell("kill -SEGV $$");
  EXPECT_EQ(ended.how, Ended::How::crashed);
  EXPECT_EQ(ended.code, SIGSEGV);
  EXPECT_EQ(ended.name, "SIGSEGV");
}

TEST(Child, GetsOurVariablesWithTheNewOnesOverThem) {
  const Setting ours("COLLET_TEST_A", "ours");
  const Setting changed("COLLET_TEST_B", "ours");
  const Ended ended = shell("echo $COLLET_TEST_A $COLLET_TEST_B $COLLET_TEST_C", kForever, kMost,
                            {{"COLLET_TEST_B", "new"}, {"COLLET_TEST_C", "more"}});
  EXPECT_EQ(ended.output, "ours new more\n");
}

TEST(Child, OutputBeyondTheLimitIsReadAndDropped) {
  const Ended ended = shell(
      "i=0; while [ $i -lt 3000 ]; do echo 01234567890123456789012345678901234567890123456789; "
      "i=$((i+1)); done; exit 7",
      Deadline::in(std::chrono::seconds(60)), 1000);
  EXPECT_EQ(ended.code, 7);
  EXPECT_EQ(ended.output.size(), 1000u);
}

TEST(Child, HasNoInput) { EXPECT_EQ(shell("read line; echo \"<$line>\"").output, "<>\n"); }

// Daemons close them, and new files then get their numbers.
TEST(Child, RunsWhicheverStandardStreamsOfOursAreClosed) {
  for (int closed = 1; closed < 8; ++closed) {
    int kept[3];
    for (int number = 0; number < 3; ++number) {
      kept[number] = fcntl(number, F_DUPFD_CLOEXEC, 100);
      if ((closed >> number & 1) != 0) close(number);
    }
    const std::vector<std::string> arguments{"-c", "read line; echo \"<$line>\"; echo err >&2; exit 3"};
    const auto ended = run_child("/bin/sh", arguments, {}, Deadline::in(std::chrono::seconds(30)), kMost);
    for (int number = 0; number < 3; ++number) {
      dup2(kept[number], number);
      close(kept[number]);
    }
    ASSERT_TRUE(ended) << closed << ": " << ended.error().message();
    EXPECT_EQ(ended->code, 3) << closed;
    EXPECT_EQ(ended->output, "<>\n") << closed;
    EXPECT_EQ(ended->errors, "err\n") << closed;
  }
}

TEST(Child, IsEndedPastTheDeadlineWithAllThatItStarted) {
  const auto begin = Deadline::Clock::now();
  const Ended ended =
      shell("trap '' 39; sleep 1000 & sleep 1000", Deadline::in(std::chrono::milliseconds(50)));
  EXPECT_EQ(ended.how, Ended::How::timed_out);
  EXPECT_LT(Deadline::Clock::now() - begin, std::chrono::seconds(10));
}

TEST(Child, IsNotWaitedForByWhatItLeavesBehind) {
  const auto begin = Deadline::Clock::now();
  const Ended ended = shell("sleep 1000 & echo done");
  EXPECT_EQ(ended.output, "done\n");
  EXPECT_LT(Deadline::Clock::now() - begin, std::chrono::seconds(10));
}

TEST(Child, AProgramThatIsNotThereIsAnError) {
  const auto ended = run_child("/no/such/program", {}, {}, kForever, kMost);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message(), "Starting /no/such/program failed: No such file or directory.");
}

TEST(Child, AFileThatIsNoProgramIsAnError) {
  const Folder folder;
  const std::string path = folder.write("text",
                                        "\x7f"
                                        "ELF but not really");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  const auto ended = run_child(path, {}, {}, kForever, kMost);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code(), ErrorCode::unavailable);
}

TEST(Platform, KnowsItsOwnFiles) {
  // By what the link says: where an emulator runs this program, the link itself leads to the emulator.
  EXPECT_TRUE(
      std::filesystem::equivalent(executable_path(), std::filesystem::read_symlink("/proc/self/exe")));
  EXPECT_TRUE(std::filesystem::exists(own_path())) << own_path();
}

TEST(Platform, CachesGoWhereTheUserSays) {
  const Setting home("HOME", "/home/somebody");
  {
    const Setting chosen("XDG_CACHE_HOME", "/caches");
    EXPECT_EQ(cache_directory(), "/caches");
  }
  const Setting relative("XDG_CACHE_HOME", "caches");
  EXPECT_EQ(cache_directory(), "/home/somebody/.cache");
  const Setting homeless("HOME", "");
  EXPECT_EQ(cache_directory(), "");
}

TEST(Platform, ListsTheEnvironment) {
  const Setting one("COLLET_TEST_A", "x=y");
  const auto all = environment();
  EXPECT_NE(std::find(all.begin(), all.end(), std::pair<std::string, std::string>("COLLET_TEST_A", "x=y")),
            all.end());
}

}  // namespace
}  // namespace collet::platform
