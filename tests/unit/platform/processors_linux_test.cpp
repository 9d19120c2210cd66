// What a process may use of a Linux machine: control groups, and threads that are bound to processors.

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "collet/collet.hpp"
#include "platform/cgroups.hpp"
#include "unit/folder.hpp"

namespace collet {
namespace {

class Cgroups : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) { folder_.write(path, text + "\n"); }
  platform::Grant grant() { return platform::find_grant(folder_.path("groups"), folder_.path("mine")); }

 private:
  Folder folder_;
};

TEST_F(Cgroups, NoFileLimitsNothing) {
  EXPECT_EQ(grant().processors, 0);
  EXPECT_EQ(grant().memory, 0u);
  write("mine", "0::/a/b");
  EXPECT_EQ(grant().processors, 0);
}

TEST_F(Cgroups, TheLeastOfTheGroupsAroundThisProcessCounts) {
  write("mine", "0::/slice/program");
  write("groups/cpu.max", "max 100000");
  write("groups/slice/cpu.max", "150000 100000");
  write("groups/slice/memory.max", "4096000");
  write("groups/slice/program/cpu.max", "800000 100000");
  write("groups/slice/program/memory.max", "max");
  write("groups/other/cpu.max", "1000 100000");
  EXPECT_EQ(grant().processors, 1.5);
  EXPECT_EQ(grant().memory, 4096000u);
}

TEST_F(Cgroups, VersionOneHasAFolderPerKind) {
  write("mine", "9:name=systemd:/\n4:memory:/box\n1:cpu,cpuacct:/box\n0::/");
  write("groups/cpu/cpu.cfs_quota_us", "-1");
  write("groups/cpu/cpu.cfs_period_us", "100000");
  write("groups/cpu/box/cpu.cfs_quota_us", "50000");
  write("groups/cpu/box/cpu.cfs_period_us", "100000");
  write("groups/memory/memory.limit_in_bytes", "9223372036854771712");
  write("groups/memory/box/memory.limit_in_bytes", "1048576");
  EXPECT_EQ(grant().processors, 0.5);
  EXPECT_EQ(grant().memory, 1048576u);
}

// As in a container that is told its path outside.
TEST_F(Cgroups, APathThatIsNotThereLeavesTheOutermost) {
  write("mine", "0::/docker/0123");
  write("groups/cpu.max", "200000 100000");
  EXPECT_EQ(grant().processors, 2);
}

TEST_F(Cgroups, NonsenseLimitsNothing) {
  write("mine", "\n:\n::\n0:\n0::nowhere\n4:cpu\n0::/");
  write("groups/cpu.max", "much 0");
  write("groups/memory.max", "-5");
  EXPECT_EQ(grant().processors, 0);
  EXPECT_EQ(grant().memory, 0u);
}

// The highest number that this process may use.
std::uint32_t last_processor() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) last = i;
  }
  return last;
}

TEST(CpuProcessors, ThreadsStayWhereTheyAreBound) {
  const std::uint32_t processor = last_processor();
  const auto device = Device::open("cpu", {.cpu_threads = 3, .cpu_processors = {processor}}).value();
  EXPECT_EQ(device.info().compute_units, 3u);
  const auto waiting = std::this_thread::get_id();
  std::atomic<int> elsewhere = 0;
  std::atomic<int> bound = 0;
  const auto where = KernelSource<Out<int>>("where")
                         .group(1)
                         .cpu([&](Item, std::span<int>) {
                           std::this_thread::sleep_for(std::chrono::microseconds(50));
                           if (std::this_thread::get_id() == waiting) return;
                           ++(sched_getcpu() == static_cast<int>(processor) ? bound : elsewhere);
                         })
                         .kernel();
  const auto out = device.buffer<int>(1000).value();
  auto stream = device.stream();
  stream.launch(where, 1000, out);
  ASSERT_TRUE(stream.wait());
  EXPECT_EQ(elsewhere, 0);
  EXPECT_GT(bound, 0);
}

TEST(CpuProcessors, AreAsManyThreads) {
  const auto device = Device::open("cpu", {.cpu_processors = {last_processor()}}).value();
  EXPECT_EQ(device.info().compute_units, 1u);
}

TEST(CpuProcessors, OneThatIsNotThereIsNamed) {
  for (const std::uint32_t processor : {1023u, 0xffffffffu}) {
    const auto device = Device::open("cpu", {.cpu_processors = {last_processor(), processor}});
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().code(), ErrorCode::invalid_argument);
    EXPECT_NE(device.error().message().find("processor " + std::to_string(processor)), std::string::npos)
        << device.error().message();
  }
}

}  // namespace
}  // namespace collet
