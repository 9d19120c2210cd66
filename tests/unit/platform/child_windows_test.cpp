// Child processes on Windows: how they are started, read and ended, and how they explain their end. This very
// program is the child, run with one disabled test that does what a variable says.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "platform/platform.hpp"
#include "platform/windows.hpp"

namespace collet::platform {
namespace {

using namespace std::chrono_literals;
using How = Ended::How;
using Variables = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kTask = "COLLET_TEST_TASK";
constexpr const wchar_t* kHeld = L"Local\\collet-test-held";  // exists as long as a grandchild does

void use_culprit(const char* symbol) {
  explain_ends();
  const char* names[] = {"collet-culprit.dll"};
  const auto library = Library::open(names);
  if (!library) return static_cast<void>(std::puts(library.error().message().c_str()));
  void* found = library->symbol(symbol);
  std::printf("calling %s", symbol);  // no newline: the explanation must begin a line of its own
  std::fflush(stdout);
  if (found != nullptr) reinterpret_cast<void (*)()>(found)();
  disarm_ends();
}

Result<Ended> run(const std::string& task, Deadline deadline = Deadline::in(30s), std::size_t most = 1 << 20,
                  std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"--gtest_also_run_disabled_tests",
                                     "--gtest_filter=Child.DISABLED_DoesItsTask"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Variables variables{{kTask, task}, {"COLLET_TEST_UMLAUT", "Grüße"}};
  return run_child(executable_path(), arguments, variables, deadline, most);
}

// The child's side.
TEST(Child, DISABLED_DoesItsTask) {
  const std::string task = environment(kTask).value_or("");
  if (task == "speak") {
    std::fputs("to output", stdout);
    std::fputs("to errors", stderr);
    std::fflush(nullptr);
    std::_Exit(7);
  } else if (task == "list") {
    for (const std::string& argument : testing::internal::GetArgvs()) std::printf("[%s]\n", argument.c_str());
    for (const auto& [name, value] : environment()) std::printf("<%s=%s>\n", name.c_str(), value.c_str());
  } else if (task == "talk") {
    for (int i = 0; i < 10'000; ++i) std::puts("0123456789012345678901234567890123456789");
  } else if (task == "start another") {
    std::thread([] { static_cast<void>(run("hold", Deadline::in(60s))); }).detach();
    while (!Handle(OpenEventW(SYNCHRONIZE, FALSE, kHeld))) std::this_thread::yield();
    std::puts("it runs");
    std::fflush(stdout);
    TerminateProcess(GetCurrentProcess(), 5);
  } else if (task == "hold") {
    const Handle held(CreateEventW(nullptr, TRUE, FALSE, kHeld));
    WaitForSingleObject(held.get(), INFINITE);
  } else if (task == "disarm") {
    explain_ends();
    disarm_ends();
    std::exit(3);  // NOLINT(concurrency-mt-unsafe)
  } else {
    use_culprit(task.c_str());
  }
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The line that the child wrote about its end.
std::string explanation(const std::string& output) {
  const std::size_t begin = output.find("\nfault ");
  if (begin == std::string::npos) return "none in: " + output;
  return output.substr(begin + 1, output.find('\n', begin + 1) - begin - 1);
}

void expect_culprit(const Ended& ended, const std::string& what) {
  const std::string line = explanation(ended.output);
  EXPECT_TRUE(line.starts_with("fault " + what + " ")) << line;
  EXPECT_TRUE(line.ends_with("collet-culprit.dll") || line.ends_with("collet-culprit.dll\r")) << line;
}

TEST(Child, ExitCodeAndBothStreamsArrive) {
  const auto ended = run("speak");
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->how, How::exited);
  EXPECT_EQ(ended->code, 7);
  EXPECT_TRUE(holds(ended->output, "to output")) << ended->output;
  EXPECT_EQ(ended->errors, "to errors");
}

TEST(Child, ArgumentsAndVariablesArriveAsGiven) {
  const std::vector<std::string> hard{"", "two words", "a\"quote", "back\\slash\\", "\\\"", "tab\there", "ü"};
  const auto ended = run("list", Deadline::in(30s), 1 << 20, hard);
  ASSERT_TRUE(ended) << ended.error();
  for (const std::string& word : hard) {
    if (word == "ü") continue;  // the C runtime gives main() its arguments in the old code page
    EXPECT_TRUE(holds(ended->output, "[" + word + "]")) << word << " is not in\n" << ended->output;
  }
  EXPECT_TRUE(holds(ended->output, "<COLLET_TEST_TASK=list>"));
  EXPECT_TRUE(holds(ended->output, "<COLLET_TEST_UMLAUT=Grüße>"));
  EXPECT_TRUE(holds(ended->output, "<PATH=") || holds(ended->output, "<Path="));
}

TEST(Child, OutputBeyondTheLimitIsDropped) {
  const auto ended = run("talk", Deadline::in(30s), 1000);
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->how, How::exited);
  EXPECT_EQ(ended->output.size(), 1000u);
}

TEST(Child, MissingProgramIsAnErrorWithTheSystemsWords) {
  const auto ended = run_child("C:\\no\\such\\program.exe", {}, {}, Deadline::in(1s), 1000);
  ASSERT_FALSE(ended);
  EXPECT_TRUE(holds(ended.error().message(), "C:\\no\\such\\program.exe")) << ended.error();
  EXPECT_TRUE(holds(ended.error().message(), "(2)") || holds(ended.error().message(), "(3)"))
      << ended.error();
}

TEST(Child, CrashNamesTheExceptionAndTheLibrary) {
  const auto ended = run("crash");
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->how, How::crashed);
  EXPECT_EQ(ended->name, "ACCESS_VIOLATION");
  EXPECT_EQ(static_cast<std::uint32_t>(ended->code), 0xC0000005u);
  expect_culprit(*ended, "ACCESS_VIOLATION");
}

TEST(Child, JumpToNowhereNamesTheCaller) {
  const auto ended = run("jump");
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->how, How::crashed);
  expect_culprit(*ended, "ACCESS_VIOLATION");
}

TEST(Child, AbortNamesTheLibrary) {
  const auto ended = run("give_up");
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->how, How::crashed);
  EXPECT_EQ(ended->name, "abort");
  expect_culprit(*ended, "abort");
}

TEST(Child, ExitNamesTheLibraryThatCalledIt) {
  const auto ended = run("leave");
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->how, How::exited);
  expect_culprit(*ended, "exit");
}

TEST(Child, ExitAfterDisarmingSaysNothing) {
  const auto ended = run("disarm");
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->code, 3);
  EXPECT_FALSE(holds(ended->output, "fault ")) << ended->output;
}

TEST(Child, HangIsEndedAndNamesTheLibrary) {
  const auto begin = std::chrono::steady_clock::now();
  const auto ended = run("hang", Deadline::in(3s));
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->how, How::timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  expect_culprit(*ended, "hang");
}

TEST(Child, WhatItStartedEndsWithIt) {
  const auto ended = run("start another");
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_EQ(ended->code, 5);
  EXPECT_TRUE(holds(ended->output, "it runs")) << ended->output;
  const Deadline patience = Deadline::in(5s);
  while (Handle(OpenEventW(SYNCHRONIZE, FALSE, kHeld)) && !patience.passed()) std::this_thread::yield();
  EXPECT_FALSE(patience.passed()) << "the grandchild lives on";
}

}  // namespace
}  // namespace collet::platform
