// A user who may start no more threads or processes: everything ends in errors, and nothing in
// std::terminate.
//
//   collet-fault-threads_test            runs itself under that limit; root becomes another user for it
//   collet-fault-threads_test victim     has the limit

#include <spawn.h>
#include <sys/resource.h>

#include <grp.h>

#include "fault/fault.hpp"

namespace {

using namespace collet;

// Of nobody's: how many processes a user has is counted over the whole machine.
constexpr uid_t kUser = 54'321;
constexpr int kNotStarted = 77;
constexpr auto kLimit = std::chrono::seconds(60);

int be_the_victim() {
  bool started = true;
  try {
    std::thread([] {}).join();
  } catch (const std::exception&) {
    started = false;
  }
  FAULT_CHECK(!started, "the limit does not hold");

  const Machine machine = discover({.cached = false});
  FAULT_CHECK(!machine.backends.empty(), "nothing was discovered");
  for (const BackendInfo& backend : machine.backends) {
    std::printf("%s: %s\n", backend.id.c_str(), backend.message.c_str());
    if (backend.id != "vulkan" && backend.id != "opencl") continue;
    if (backend.rung == Rung::not_built) continue;
    FAULT_CHECK(backend.message.starts_with("It was not probed: "), backend.message);
    FAULT_CHECK(!backend.fix.empty(), "there is no advice");
  }
  const auto cpu = Device::open("cpu");
  FAULT_CHECK(!cpu && cpu.error().code() == ErrorCode::unavailable,
              cpu ? "it opened" : cpu.error().describe());
  const auto later = Device::open_async("cpu").get();
  FAULT_CHECK(!later && later.error().code() == ErrorCode::unavailable, "open_async() succeeded");
  const auto best = Device::open_best();
  FAULT_CHECK(!best, "open_best() succeeded");
  return fault::failures() == 0 ? 0 : 1;
}

// In a child: the limit, the other user, and then this program from its beginning.
[[noreturn]] void become_the_victim() {
  const rlimit one{.rlim_cur = 1, .rlim_max = 1};
  if (setrlimit(RLIMIT_NPROC, &one) != 0) _exit(kNotStarted);
  if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(kUser) != 0 || setuid(kUser) != 0))
    _exit(kNotStarted);
  char name[] = "threads_test";
  char victim[] = "victim";
  char* arguments[] = {name, victim, nullptr};
  execv("/proc/self/exe", arguments);
  _exit(kNotStarted);
}

}  // namespace

int main(int count, char**) {
  if (count == 2) return be_the_victim();
  const pid_t child = fork();
  if (child == 0) become_the_victim();
  const fault::Ending ending = fault::await(child, kLimit);
  if (!ending.hung && WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == kNotStarted) {
    std::printf("skipped: this program can't be run as user %u\n", static_cast<unsigned>(kUser));
    return 0;
  }
  FAULT_CHECK(ending.clean(), "without threads: " + ending.describe());
  std::printf("%d failures\n", fault::failures());
  return fault::failures() == 0 ? 0 : 1;
}
