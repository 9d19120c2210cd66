// Linux: libraries, environment, processes, pages.

#include <dlfcn.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include "platform/platform.hpp"

namespace collet::platform {

constinit std::atomic<std::uint32_t> epoch{0};

namespace {

std::atomic<std::uint32_t> last_fork{0};  // the epoch that the last fork began

[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] {
  last_fork.store(epoch.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
});

// Processors allowed by a cgroup v2 or v1 quota, or 0 where there is none.
std::uint32_t quota_processors() {
  double quota = -1;
  double period = 0;
  if (std::ifstream v2("/sys/fs/cgroup/cpu.max"); v2) {
    std::string first;
    v2 >> first >> period;
    if (first != "max" && !first.empty()) quota = std::atof(first.c_str());
  } else {
    std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> quota;
    std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period;
  }
  if (quota <= 0 || period <= 0) return 0;
  return std::max(1u, static_cast<std::uint32_t>(quota / period));
}

}  // namespace

Result<Library> Library::open(std::span<const char* const> names) {
  std::string words;
  for (const char* name : names) {
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
      std::string path = name;
      link_map* map = nullptr;
      if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name[0] != '\0')
        path = map->l_name;
      return Library(handle, std::move(path));
    }
    const char* reason = dlerror();  // NOLINT(concurrency-mt-unsafe): per thread in glibc
    if (!words.empty()) words += "; ";
    words += reason != nullptr ? reason : name;
  }
  return Error(ErrorCode::unavailable, Category::initialisation, Cause::library_not_found, words);
}

std::span<const char* const> library_names(std::string_view api) {
  static constexpr const char* kVulkan[] = {"libvulkan.so.1", "libvulkan.so"};
  static constexpr const char* kOpenCl[] = {"libOpenCL.so.1", "libOpenCL.so"};
  if (api == "vulkan") return kVulkan;
  if (api == "opencl") return kOpenCl;
  return {};
}

void* Library::symbol(const char* name) const { return dlsym(handle_, name); }

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): Collet never sets variables
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::vector<std::pair<std::string, std::string>> environment() {
  std::vector<std::pair<std::string, std::string>> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

bool forked_since(std::uint32_t made) { return last_fork.load(std::memory_order_relaxed) > made; }

bool on_main_thread() { return syscall(SYS_gettid) == getpid(); }

void begin_exit() { epoch.fetch_add(1); }

std::uint32_t usable_processors() {
  std::uint32_t count = 1;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = static_cast<std::uint32_t>(CPU_COUNT(&set));
  if (const std::uint32_t quota = quota_processors(); quota != 0) count = std::min(count, quota);
  return std::max(1u, count);
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name") && !line.starts_with("Model")) continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (line.find(':') != std::string::npos && start != std::string::npos) return line.substr(start);
  }
  return "CPU";
}

std::uint64_t l2_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const long size = sysconf(_SC_LEVEL2_CACHE_SIZE); size > 0) return static_cast<std::uint64_t>(size);
#endif
  return 0;
}

std::uint64_t physical_memory() {
  struct sysinfo info{};
  if (sysinfo(&info) != 0) return 0;
  std::uint64_t total = static_cast<std::uint64_t>(info.totalram) * info.mem_unit;
  std::uint64_t limit = 0;
  if (std::ifstream v2("/sys/fs/cgroup/memory.max"); v2 >> limit && limit != 0)
    total = std::min(total, limit);
  return total;
}

void* map_pages(std::size_t size) {
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  if (size >= (2u << 20)) madvise(pages, size, MADV_HUGEPAGE);
  return pages;
}

void unmap_pages(void* pages, std::size_t size) { munmap(pages, size); }

void futex_wait(const std::uint32_t* word, std::uint32_t expected, std::int64_t nanoseconds) {
  timespec limit{.tv_sec = nanoseconds / 1'000'000'000, .tv_nsec = nanoseconds % 1'000'000'000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, nanoseconds < 0 ? nullptr : &limit, nullptr, 0);
}

void futex_wake(const std::uint32_t* word, std::uint32_t count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, static_cast<int>(std::min(count, 0x7fffffffu)), nullptr,
          nullptr, 0);
}

void name_thread(const char* name) {
  char shortened[16];
  std::snprintf(shortened, sizeof shortened, "%s", name);
  pthread_setname_np(pthread_self(), shortened);
}

}  // namespace collet::platform
