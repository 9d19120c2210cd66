// What the fault tests share: checks that count, children that are killed when they hang, and work that takes
// a while.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <collet/collet.hpp>
#include <collet_embedded/kernels.hpp>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

extern char** environ;

namespace fault {

using Clock = std::chrono::steady_clock;

inline int& failures() {
  static int count = 0;
  return count;
}

inline void report(const char* file, int line, const std::string& what) {
  ++failures();
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
}

#define FAULT_CHECK(condition, what)                                                                         \
  do {                                                                                                       \
    if (!(condition)) ::fault::report(__FILE__, __LINE__, std::string(#condition) + " is false: " + (what)); \
  } while (false)

// How a child ended.
struct Ending {
  bool hung = false;
  int status = 0;
  double seconds = 0;

  bool clean() const { return !hung && WIFEXITED(status) && WEXITSTATUS(status) == 0; }
  std::string describe() const {
    const std::string when = " after " + std::to_string(seconds) + " s";
    if (hung) return "it hung and was killed" + when;
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status)) + when;
    return "exit code " + std::to_string(WEXITSTATUS(status)) + when;
  }
};

// Waits for `child`; kills it when `limit` passes.
inline Ending await(pid_t child, Clock::duration limit) {
  const auto begin = Clock::now();
  Ending ending;
  for (;;) {
    const pid_t ended = waitpid(child, &ending.status, WNOHANG);
    const auto passed = Clock::now() - begin;
    ending.seconds = std::chrono::duration<double>(passed).count();
    if (ended == child) return ending;
    if (passed > limit) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ending.hung = true;
  kill(child, SIGKILL);
  waitpid(child, &ending.status, 0);
  return ending;
}

// Runs this program once more, with these arguments; kills it when `limit` passes.
inline Ending run_self(std::vector<std::string> arguments, Clock::duration limit) {
  std::string name = "victim";
  std::vector<char*> passed{name.data()};
  for (std::string& argument : arguments) passed.push_back(argument.data());
  passed.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, passed.data(), environ) != 0)
    report(__FILE__, __LINE__, "posix_spawn failed");
  return await(child, limit);
}

// Forks; the child runs `body`, whose result is its exit code, and runs no exit handler.
template <class Body>
pid_t fork_child(const Body& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  failures() = 0;
  const int code = body();
  std::fflush(nullptr);
  _exit(code);
}

using Churn = collet::Kernel<collet::InOut<std::uint32_t>, collet::Value<std::uint32_t>>;

inline std::uint32_t churned(std::uint32_t value, std::uint32_t rounds) {
  for (std::uint32_t i = 0; i < rounds * 1000; ++i) value = value * 3 + 1;
  return value;
}

// x = 3x + 1, rounds * 1000 times, for every element. A new kernel each time: nothing is compiled yet.
inline Churn churn() {
  return collet::KernelSource<collet::InOut<std::uint32_t>, collet::Value<std::uint32_t>, collet::Count>(
             "churn")
      .spirv(collet_embedded::churn_spv)
      .opencl(collet_embedded::churn_cl)
      .cuda(collet_embedded::churn_cu)
      .wgsl(collet_embedded::churn_wgsl)
      .glsl(collet_embedded::churn_glsl)
      .glsl_es(collet_embedded::churn_gles)
      .cpu([](collet::Item item, std::span<std::uint32_t> x, std::uint32_t rounds, std::uint32_t) {
        x[item.x] = churned(x[item.x], rounds);
      })
      .kernel();
}

inline std::vector<std::string> device_ids() {
  std::vector<std::string> ids;
  for (const collet::DeviceInfo& info : collet::devices()) ids.push_back(info.id());
  return ids;
}

}  // namespace fault
