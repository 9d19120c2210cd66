// The helper's parent: how ends are told, and which helper is taken.

#include "discovery/probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <collet_backends.hpp>
#include <filesystem>

#include "collet/discovery.hpp"
#include "unit/captured_log.hpp"
#include "unit/variables.hpp"

namespace collet::discovery {
namespace {

using test::Setting;

using platform::Ended;

constexpr std::chrono::milliseconds kLimit{10'000};

Heard heard(const std::string& lines) { return listen(first_line() + doing_line("listing devices") + lines); }

TEST(Probe, EveryEndIsTold) {
  Ended crashed{.how = Ended::How::crashed, .code = 11, .name = "SIGSEGV", .output = {}, .errors = {}};
  Ended late{.how = Ended::How::timed_out, .code = 9, .name = "SIGKILL", .output = {}, .errors = {}};
  Ended left{.how = Ended::How::exited, .code = 5, .name = {}, .output = {}, .errors = {}};
  EXPECT_EQ(fault_of(crashed, heard("fault SIGSEGV /lib/libfoo.so\n"), kLimit),
            "crashed with SIGSEGV in /lib/libfoo.so while listing devices");
  EXPECT_EQ(fault_of(crashed, heard(""), kLimit), "crashed with SIGSEGV while listing devices");
  EXPECT_EQ(fault_of(crashed, listen(""), kLimit), "crashed with SIGSEGV while starting");
  EXPECT_EQ(fault_of(late, heard("fault hang /lib/libfoo.so\n"), kLimit),
            "hung for 10 s in /lib/libfoo.so while listing devices");
  EXPECT_EQ(fault_of(late, heard(""), std::chrono::milliseconds(1500)),
            "hung for 1500 ms while listing devices");
  EXPECT_EQ(fault_of(left, heard("fault exit /lib/libfoo.so\n"), kLimit),
            "called exit(5) in /lib/libfoo.so while listing devices");
  EXPECT_EQ(fault_of(left, heard(""), kLimit), "ended early with exit code 5 while listing devices");
  EXPECT_EQ(fault_of(left, heard("collet dance\n"), kLimit),
            "answered garbage: its record has a line that is unknown (dance)");
  EXPECT_EQ(fault_of(crashed, heard(end_line()), kLimit), "") << "after the end nothing matters";
}

TEST(Probe, TheHelperIsFoundBesideTheProgram) {
  const Setting unset("COLLET_PROBE", "");
  const Helper helper = find_helper();
  EXPECT_EQ(helper.note, "");
  EXPECT_EQ(std::filesystem::path(helper.path).parent_path(),
            std::filesystem::path(platform::executable_path()).parent_path());
}

TEST(Probe, WithoutAHelperTheProbeRunsHereAndSaysSo) {
  for (const char* value : {"off", "/no/such/helper"}) {
    const Setting chosen("COLLET_PROBE", value);
    const Machine machine = discover({.cached = false, .backends = {"cpu", "webgl2"}});
    EXPECT_TRUE(machine.notes.empty()) << "the CPU needs no helper";
    EXPECT_EQ(find_helper().path, "");
    EXPECT_NE(find_helper().note, "");
  }
}

#if COLLET_HAS_VULKAN
TEST(Probe, AHelperThatIsMissingIsSaidOnceInTheLogAndOneThatIsSwitchedOffIsNoWarning) {
  const test::CapturedLog log;
  for (int i = 0; i < 2; ++i) {
    const Setting missing("COLLET_PROBE", "/no/helper/here");
    EXPECT_EQ(discover({.cached = false, .backends = {"vulkan"}}).notes.size(), 1u);
    const Setting off("COLLET_PROBE", "off");
    EXPECT_EQ(discover({.cached = false, .backends = {"vulkan"}}).notes.size(), 1u);
  }
  EXPECT_EQ(log.count("warn discovery: Drivers are probed in this process: COLLET_PROBE names no file "
                      "(/no/helper/here)."),
            1u);
  EXPECT_EQ(log.count("warn discovery: Drivers are probed in this process"), 1u);
}
#endif

TEST(Probe, AskedForBackendsAreProbedAndNoOthers) {
  const Machine machine = discover({.backends = {"webgl2", "cpu"}});
  ASSERT_EQ(machine.backends.size(), 2u);
  EXPECT_EQ(machine.backends[0].id, "cpu");
  EXPECT_EQ(machine.backends[0].rung, Rung::verified);
  EXPECT_FALSE(machine.backends[0].isolated);
  EXPECT_EQ(machine.backends[1].message, "WebGL 2 has no compute shaders");
}

}  // namespace
}  // namespace collet::discovery
