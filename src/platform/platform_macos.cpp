// macOS: libraries, processors, waiting on a word. Never built or run yet.

#include <dlfcn.h>
#include <mach-o/dyld.h>
#include <pthread.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "platform/address_space.hpp"
#include "platform/platform.hpp"
#include "platform/posix.hpp"

namespace collet::platform {
namespace {

template <class T>
T system_value(const char* name) {
  T value{};
  std::size_t size = sizeof value;
  return sysctlbyname(name, &value, &size, nullptr, 0) == 0 && size == sizeof value ? value : T{};
}

std::string real_path(const char* path) {
  char* const real = realpath(path, nullptr);
  std::string out = real != nullptr ? real : path;
  std::free(real);
  return out;
}

// Where threads sleep until a word changes; several words share one.
struct Bed {
  std::mutex mutex;
  std::condition_variable changed;
};

Bed& bed_of(const std::uint32_t* word) {
  static auto& beds = *new std::array<Bed, 64>;  // never destroyed: threads may sleep until the end
  return beds[(reinterpret_cast<std::uintptr_t>(word) >> 6) % beds.size()];
}

bool unchanged(const std::uint32_t* word, std::uint32_t expected) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST) == expected;
}

}  // namespace

std::string loaded_path(void* handle) {
  for (std::uint32_t i = _dyld_image_count(); i-- > 0;) {
    const char* const path = _dyld_get_image_name(i);
    if (path == nullptr) continue;
    void* const same = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    if (same == nullptr) continue;
    dlclose(same);
    if (same == handle) return path;
  }
  return {};
}

std::span<const char* const> library_names(std::string_view api) {
  static constexpr const char* kLlvm[] = {"libLLVM.dylib", "libLLVM-C.dylib"};
  static constexpr const char* kVulkan[] = {"libvulkan.1.dylib", "libvulkan.dylib", "libMoltenVK.dylib"};
  static constexpr const char* kOpenCl[] = {"/System/Library/Frameworks/OpenCL.framework/OpenCL"};
  static constexpr const char* kWebGpu[] = {"libwgpu_native.dylib", "libwebgpu_dawn.dylib"};
  if (api == "vulkan") return kVulkan;
  if (api == "opencl") return kOpenCl;
  if (api == "webgpu") return kWebGpu;
  if (api == "llvm") return kLlvm;
  return {};
}

std::string executable_path() {
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (size == 0 || _NSGetExecutablePath(path.data(), &size) != 0) return {};
  return real_path(path.c_str());
}

std::string own_path() {
  Dl_info facts{};
  if (dladdr(reinterpret_cast<const void*>(&own_path), &facts) == 0 || facts.dli_fname == nullptr) return {};
  return real_path(facts.dli_fname);
}

std::string cache_directory() {
  const auto home = environment("HOME");
  return home && home->starts_with('/') ? *home + "/Library/Caches" : std::string();
}

std::vector<DeviceNode> device_nodes() { return {}; }  // drivers are not reached through files here

bool has_foreign_user() { return issetugid() != 0; }

bool on_main_thread() { return pthread_main_np() != 0; }

std::uint32_t usable_processors() {
  return static_cast<std::uint32_t>(std::max(1, system_value<int>("hw.activecpu")));
}

bool bind_thread(std::uint32_t /*processor*/) { return false; }  // the system places threads by itself

std::string processor_name() {
  char name[256];
  std::size_t size = sizeof name;
  if (sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0) != 0 || size <= 1) return "CPU";
  return name;
}

std::uint64_t l2_cache() {
  const auto fast_cores = system_value<std::int64_t>("hw.perflevel0.l2cachesize");
  const auto size = fast_cores > 0 ? fast_cores : system_value<std::int64_t>("hw.l2cachesize");
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, size));
}

// The system takes the limit and does not enforce it.
std::optional<AddressSpace> address_space() { return std::nullopt; }

std::uint64_t physical_memory() { return system_value<std::uint64_t>("hw.memsize"); }

// The system's own call for this is public only since macOS 14.4.
void futex_wait(const std::uint32_t* word, std::uint32_t expected, std::int64_t nanoseconds) {
  Bed& bed = bed_of(word);
  std::unique_lock lock(bed.mutex);
  if (!unchanged(word, expected)) return;
  if (nanoseconds < 0) {
    bed.changed.wait(lock);
  } else {
    bed.changed.wait_for(lock, std::chrono::nanoseconds(nanoseconds));
  }
}

// Wakes all who share the bed: those of other words look at theirs and sleep again.
void futex_wake(const std::uint32_t* word, std::uint32_t /*count*/) {
  Bed& bed = bed_of(word);
  {
    const std::lock_guard lock(bed.mutex);
  }  // a sleeper is past its look at the word, or will see the new value
  bed.changed.notify_all();
}

void name_thread(const char* name) { pthread_setname_np(std::string(name).substr(0, 15).c_str()); }

// The helper's side needs the signal handlers of child_linux.cpp, which were never tried here.
Result<Ended> run_child(const std::string& program, std::span<const std::string>,
                        std::span<const std::pair<std::string, std::string>>, Deadline, std::size_t) {
  return Error(ErrorCode::unsupported, Category::runtime,
               "Collet starts no child processes on macOS yet, so (" + program + ") was not started.");
}

// There is no helper program here that could end.
void explain_ends() {}
void disarm_ends() {}

}  // namespace collet::platform
