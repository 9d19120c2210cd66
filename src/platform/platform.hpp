// The only door to the operating system: libraries, environment, processes, memory pages, processor count.
// One source file per system implements it; nothing else in Collet calls the system directly.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collet/result.hpp"

namespace collet::platform {

// A loaded shared library. Never unloaded: drivers leave threads and handlers behind.
class Library {
 public:
  // Tries `names` in order. The error keeps the loader's exact words for each.
  static Result<Library> open(std::span<const char* const> names);

  // Null where the library has no such symbol.
  void* symbol(const char* name) const;
  // The path that it was loaded from, or the name where the system does not say.
  const std::string& path() const { return path_; }

 private:
  Library(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* handle_ = nullptr;
  std::string path_;
};

// What this system calls an API's library ("vulkan", "opencl"), best first. Empty where the system has none.
std::span<const char* const> library_names(std::string_view api);

std::optional<std::string> environment(const char* name);

// Rises in a child after fork(), and once more when the process begins to exit. An object made in an earlier
// epoch must not touch its driver: the driver's threads do not exist here any more.
extern std::atomic<std::uint32_t> epoch;
// Whether it was a fork that ended epoch `made`, not the exit.
bool forked_since(std::uint32_t made);
bool on_main_thread();
void begin_exit();

// Processors that this process may use: affinity and cgroup quota respected. At least 1.
std::uint32_t usable_processors();

// The processor's marketing name, or "CPU" where the system does not say.
std::string processor_name();

// Bytes of second-level cache per core; 0 where the system does not say.
std::uint64_t l2_cache();

// Physical memory in bytes that this process may use.
std::uint64_t physical_memory();

// Zeroed pages straight from the system, aligned to at least 4096; null when there are none left.
void* map_pages(std::size_t size);
void unmap_pages(void* pages, std::size_t size);

// Sleeps until *word != expected, someone calls wake(), or `nanoseconds` pass (< 0: no limit). May wake
// early.
void futex_wait(const std::uint32_t* word, std::uint32_t expected, std::int64_t nanoseconds);
void futex_wake(const std::uint32_t* word, std::uint32_t count);

// Names the calling thread for debuggers; at most 15 characters arrive.
void name_thread(const char* name);

}  // namespace collet::platform
