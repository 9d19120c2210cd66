// The helper's parent, and helpers that are shell scripts: what they end with, and what they answer.

#include <gtest/gtest.h>

#include "collet/discovery.hpp"
#include "discovery/probe.hpp"
#include "unit/folder.hpp"
#include "unit/variables.hpp"

#include <collet_backends.hpp>

namespace collet::discovery {
namespace {

using test::Setting;

constexpr std::chrono::milliseconds kLimit{10'000};

std::string script(const Folder& folder, const std::string& body) {
  const std::string path = folder.write("helper", "#!/bin/sh\n" + body);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

const Known& vulkan() { return *find_backend("vulkan"); }

std::string device(const std::string& index) {
  return "echo collet device new; echo collet device backend vulkan; echo collet device index " + index +
         "\n";
}

const std::string kBegin = "echo collet record 1 " + std::string(first_line().substr(16));

TEST(Probe, ADeviceThatEndsTheHelperIsLeftOutNextTime) {
  const Folder folder;
  const std::string body = kBegin + "echo collet backend id vulkan; echo collet backend device_count 3\n" +
                           device("0") + device("1") + device("2") +
                           "case \"$*\" in\n"
                           "  vulkan) echo collet verdict 0 verified %; kill -SEGV $$;;\n"
                           "  'vulkan 0 1') echo collet verdict 2 verified %; echo collet end;;\n"
                           "  *) echo collet dance;;\n"
                           "esac\n";
  const Record record = probe_apart(vulkan(), script(folder, body), kLimit).value();
  EXPECT_EQ(record.backend.fault, "crashed with SIGSEGV while starting");
  EXPECT_EQ(record.backend.rung, Rung::verified);
  EXPECT_TRUE(record.backend.isolated);
  ASSERT_EQ(record.devices.size(), 3u);
  EXPECT_EQ(record.devices[0].rung, Rung::verified);
  EXPECT_EQ(record.devices[1].rung, Rung::initialised);
  EXPECT_EQ(record.devices[1].refused, "Its probe crashed with SIGSEGV while starting.");
  EXPECT_EQ(record.devices[2].rung, Rung::verified);
}

TEST(Probe, AHelperThatAlwaysCrashesIsRunOncePerDeviceAndNotForEver) {
  const Folder folder;
  const std::string body = kBegin + "echo run >>" + folder.path("runs") +
                           "; echo collet backend id vulkan; echo collet backend device_count 2\n" +
                           device("0") + device("1") + "kill -SEGV $$\n";
  const Record record = probe_apart(vulkan(), script(folder, body), kLimit).value();
  EXPECT_EQ(contents(folder.path("runs")), "run\nrun\n");
  for (const DeviceInfo& one : record.devices) EXPECT_NE(one.refused, "");
}

TEST(Probe, GarbageRefusesWhatWasListed) {
  const Folder folder;
  const std::string body = kBegin + "echo collet backend id vulkan; echo collet backend device_count 1\n" +
                           device("0") + "echo collet dance\n";
  const Record record = probe_apart(vulkan(), script(folder, body), kLimit).value();
  EXPECT_EQ(record.backend.fault, "answered garbage: its record has a line that is unknown (dance)");
  ASSERT_EQ(record.devices.size(), 1u);
  EXPECT_NE(record.devices[0].refused, "");
}

TEST(Probe, AnAnswerAboutAnotherBackendIsGarbage) {
  const Folder folder;
  const Record record =
      probe_apart(vulkan(), script(folder, kBegin + "echo collet backend id opencl; echo collet end\n"),
                  kLimit)
          .value();
  EXPECT_EQ(record.backend.fault, "answered garbage: its record has another backend (opencl)");
  EXPECT_EQ(record.backend.id, "vulkan");
}

TEST(Probe, AnEndlessAnswerIsGarbage) {
  const Folder folder;
  const Record record =
      probe_apart(vulkan(), script(folder, kBegin + "yes collet doing x | head -c 3000000\n"), kLimit)
          .value();
  EXPECT_EQ(record.backend.fault, "answered garbage: its record has more than 1048576 bytes");
}

TEST(Probe, AProgramThatIsNoHelperIsAnError) {
  const Folder folder;
  const auto record = probe_apart(vulkan(), script(folder, "echo hello; echo no >&2; exit 1\n"), kLimit);
  ASSERT_FALSE(record);
  EXPECT_TRUE(record.error().message().ends_with(" is no helper of this Collet: no"))
      << record.error().message();
}

TEST(Probe, AHelperOfAnotherVersionIsNamedWithBothVersions) {
  const Folder folder;
  const std::string helper = script(folder, "echo collet record 7 9.9.9; echo collet end\n");
  const auto record = probe_apart(vulkan(), helper, kLimit);
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().message(), "The probe helper " + helper +
                                          " is of version 9.9.9 (record 7), this library of " +
                                          own_version() + ".");
  EXPECT_EQ(record.error().cause(), Cause::init_failed);
  EXPECT_EQ(record.error().hint(), "Install both together.");
}

#if COLLET_HAS_VULKAN
TEST(Probe, WithAHelperOfAnotherVersionTheProbeRunsHereAndSaysSoEveryTime) {
  const Folder folder;
  const Setting cache("COLLET_CACHE_DIR", folder.path("cache"));
  const Setting chosen("COLLET_PROBE", script(folder, "echo collet record 7 9.9.9\n"));
  for (int i = 0; i < 2; ++i) {
    const Machine machine = discover({.backends = {"vulkan"}});
    ASSERT_EQ(machine.notes.size(), 1u);
    EXPECT_TRUE(
        machine.notes[0].starts_with("The backend vulkan is probed in this process: The probe helper "));
    EXPECT_TRUE(machine.notes[0].ends_with(" Install both together.")) << machine.notes[0];
    EXPECT_EQ(machine.backends.at(0).fault, "");
    EXPECT_FALSE(machine.backends.at(0).isolated);
    EXPECT_FALSE(machine.backends.at(0).cached);
  }
}
#endif

}  // namespace
}  // namespace collet::discovery
