// Linux: libraries, processors, waiting on a word. Android shares what its kernel gives.

#include <dlfcn.h>
#include <grp.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "platform/cgroups.hpp"
#include "platform/platform.hpp"
#include "platform/posix.hpp"

namespace collet::platform {

namespace {

#ifndef __ANDROID__

std::string group_name(gid_t id) {
  char buffer[4096];
  struct group entry{};
  struct group* found = nullptr;
  if (getgrgid_r(id, &entry, buffer, sizeof buffer, &found) != 0 || found == nullptr)
    return std::to_string(id);
  return found->gr_name;
}

bool is_member(gid_t id) {
  if (getegid() == id) return true;
  gid_t groups[1024];
  const int count = getgroups(static_cast<int>(std::size(groups)), groups);
  return count > 0 && std::find(groups, groups + count, id) != groups + count;
}

// Adds what `folder` holds under names that begin with `prefix`.
void add_nodes(const char* folder, std::string_view prefix, std::vector<DeviceNode>& nodes) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string path = entry.path().string();
    struct stat facts{};
    if (!entry.path().filename().string().starts_with(prefix) || stat(path.c_str(), &facts) != 0 ||
        !S_ISCHR(facts.st_mode))
      continue;
    nodes.push_back({.path = path,
                     .usable = access(path.c_str(), R_OK | W_OK) == 0,
                     .owner_group = group_name(facts.st_gid),
                     .in_group = is_member(facts.st_gid)});
  }
}

#endif

}  // namespace

#ifndef __ANDROID__  // whose own are in platform_android.cpp

std::string loaded_path(void* handle) {
  link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr ? map->l_name : "";
}

std::span<const char* const> library_names(std::string_view api) {
  static constexpr const char* kLlvm[] = {
      "libLLVM.so.22.1", "libLLVM.so.22",   "libLLVM.so.21.1", "libLLVM.so.21",   "libLLVM.so.20.1",
      "libLLVM.so.20",   "libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM.so.18.1", "libLLVM-18.so.1",
      "libLLVM-17.so.1", "libLLVM-16.so.1", "libLLVM-15.so.1", "libLLVM-15.so"};
  static constexpr const char* kVulkan[] = {"libvulkan.so.1", "libvulkan.so"};
  static constexpr const char* kOpenCl[] = {"libOpenCL.so.1", "libOpenCL.so"};
  static constexpr const char* kEgl[] = {"libEGL.so.1", "libEGL.so"};
  static constexpr const char* kCuda[] = {"libcuda.so.1", "libcuda.so"};
  static constexpr const char* kNvrtc[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                           "libnvrtc.so"};
  static constexpr const char* kWebGpu[] = {"libwgpu_native.so", "libwebgpu_dawn.so", "libwebgpu_dawn.so.0"};
  if (api == "vulkan") return kVulkan;
  if (api == "opencl") return kOpenCl;
  if (api == "egl") return kEgl;
  if (api == "cuda") return kCuda;
  if (api == "nvrtc") return kNvrtc;
  if (api == "webgpu") return kWebGpu;
  if (api == "llvm") return kLlvm;
  return {};
}

std::string executable_path() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).string();
}

std::string own_path() {
  Dl_info facts{};
  link_map* map = nullptr;
  const auto* here = reinterpret_cast<const void*>(&own_path);
  if (dladdr1(here, &facts, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr)
    return {};
  if (map->l_name[0] == '\0') return executable_path();  // how the loader calls the program itself
  std::error_code none;
  return std::filesystem::absolute(map->l_name, none).string();
}

std::string cache_directory() {
  const auto chosen = environment("XDG_CACHE_HOME");
  if (chosen && chosen->starts_with('/')) return *chosen;  // the standard: a relative path is to be ignored
  const auto home = environment("HOME");
  return home && home->starts_with('/') ? *home + "/.cache" : std::string();
}

std::vector<DeviceNode> device_nodes() {
  std::vector<DeviceNode> nodes;
  add_nodes("/dev/dri", "renderD", nodes);
  add_nodes("/dev", "nvidia", nodes);
  add_nodes("/dev", "kfd", nodes);
  add_nodes("/dev/accel", "accel", nodes);
  std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return nodes;
}

#endif

// What secure_getenv() asks, which Android does not have.
bool has_foreign_user() { return getauxval(AT_SECURE) != 0; }

bool on_main_thread() { return syscall(SYS_gettid) == getpid(); }

std::uint32_t usable_processors() {
  std::uint32_t count = 1;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = static_cast<std::uint32_t>(CPU_COUNT(&set));
  if (const double granted = find_grant().processors; granted != 0 && granted < count)
    count = static_cast<std::uint32_t>(granted);
  return std::max(1u, count);
}

bool bind_thread(std::uint32_t processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor < CPU_SETSIZE) CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
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
  const std::uint64_t total = static_cast<std::uint64_t>(info.totalram) * info.mem_unit;
  const std::uint64_t granted = find_grant().memory;
  return granted != 0 ? std::min(total, granted) : total;
}

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
