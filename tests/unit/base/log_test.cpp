// The log: levels, modules, sinks.

#include <gtest/gtest.h>

#include <thread>

#include "base/nearest.hpp"
#include "unit/captured_log.hpp"

namespace collet {
namespace {

using base::log;
using Lines = std::vector<std::string>;

TEST(Log, LetsThroughWhatIsAtLeastAsSevereAsItsLevel) {
  const test::CapturedLog captured("warn");
  log(LogLevel::info, "core", "One.");
  log(LogLevel::warn, "core", "Two.");
  log(LogLevel::error, "core", "Three.");
  EXPECT_EQ(captured.lines(), (Lines{"warn core: Two.", "error core: Three."}));
}

TEST(Log, HasLevelsForSingleModules) {
  const test::CapturedLog captured("error,vulkan=trace,opencl=off");
  log(LogLevel::trace, "vulkan", "One.");
  log(LogLevel::warn, "core", "Two.");
  log(LogLevel::error, "opencl", "Three.");
  log(LogLevel::error, "core", "Four.");
  EXPECT_EQ(captured.lines(), (Lines{"trace vulkan: One.", "error core: Four."}));
}

TEST(Log, WarnsWhereNoLevelForTheOthersIsGiven) {
  const test::CapturedLog captured("vulkan=debug");
  log(LogLevel::info, "core", "One.");
  log(LogLevel::warn, "core", "Two.");
  EXPECT_EQ(captured.lines(), (Lines{"warn core: Two."}));
}

TEST(Log, IsOneLoadWhereNobodyListens) {
  const test::CapturedLog captured("off,vulkan=warn");
  EXPECT_FALSE(base::logged(LogLevel::info));
  EXPECT_TRUE(base::logged(LogLevel::warn));
  EXPECT_TRUE(base::set_log_levels("off"));
  EXPECT_FALSE(base::logged(LogLevel::error));
  log(LogLevel::error, "core", "One.");
  EXPECT_EQ(captured.lines(), Lines{});
}

TEST(Log, AMessageIsOneLine) {
  const test::CapturedLog captured;
  log(LogLevel::info, "core", "One\r\ntwo\nthree.");
  EXPECT_EQ(captured.lines(), (Lines{"info core: One  two three."}));
}

TEST(Log, AnUnknownLevelIsRefusedWithASuggestionAndChangesNothing) {
  const test::CapturedLog captured("warn");
  const auto set = base::set_log_levels("info,vulkan=trce");
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().message(), "There is no log level called \"trce\".");
  EXPECT_EQ(set.error().hint(),
            "Did you mean \"trace\"? The levels are trace, debug, info, warn, error and off.");
  log(LogLevel::info, "core", "One.");
  EXPECT_EQ(captured.lines(), Lines{});
}

TEST(Log, WhatASinkLogsIsDropped) {
  int calls = 0;
  const test::CapturedLog captured;
  set_log_sink([&](const LogMessage&) {
    ++calls;
    log(LogLevel::error, "core", "From the sink.");
  });
  log(LogLevel::info, "core", "One.");
  EXPECT_EQ(calls, 1);
}

TEST(Log, SinksGetOneMessageAtATime) {
  const test::CapturedLog captured;
  int running = 0, most = 0, total = 0;  // unguarded on purpose: ThreadSanitizer watches
  set_log_sink([&](const LogMessage&) {
    most = std::max(most, ++running);
    ++total;
    --running;
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < 200; ++n) log(LogLevel::info, "core", "One.");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(total, 800);
}

TEST(Log, GoesToStderrWithoutASink) {
  const test::CapturedLog captured("warn");
  set_log_sink({});
  testing::internal::CaptureStderr();
  log(LogLevel::warn, "core", "One.");
  log(LogLevel::info, "core", "Two.");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "collet [warn] core: One.\n");
}

TEST(Nearest, ForgivesTwoLettersButNotHalfAWord) {
  constexpr std::array<std::string_view, 4> kWords{"vulkan", "opencl", "cpu", "hip"};
  EXPECT_EQ(base::nearest("vulcan", kWords), "vulkan");
  EXPECT_EQ(base::nearest("vulakn", kWords), "vulkan");
  EXPECT_EQ(base::nearest("opncl", kWords), "opencl");
  EXPECT_EQ(base::nearest("ooppencl", kWords), "opencl");
  EXPECT_EQ(base::nearest("cup", kWords), "cpu");
  EXPECT_EQ(base::nearest("xyu", kWords), "");
  EXPECT_EQ(base::nearest("metal", kWords), "");
  EXPECT_EQ(base::nearest("", kWords), "");
  EXPECT_EQ(base::nearest(std::string(100'000, 'v'), kWords), "");
}

}  // namespace
}  // namespace collet
