// The only door to the operating system: libraries, environment, processes, memory pages, processor count.
// Source files named after their system implement it; nothing else in Collet calls the system directly.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collet/deadline.hpp"
#include "collet/result.hpp"

namespace collet::platform {

// A loaded shared library. Never unloaded: drivers leave threads and handlers behind.
class Library {
 public:
  // Tries `names` in order. The error keeps the loader's exact words for each. `apart`: it
  // prefers its own symbols, for a library of which another version may be in the process already.
  static Result<Library> open(std::span<const char* const> names, bool apart = false);

  // Null where the library has no such symbol.
  void* symbol(const char* name) const;
  // The path that it was loaded from, or the name where the system does not say.
  const std::string& path() const { return path_; }

 private:
  Library(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* handle_ = nullptr;
  std::string path_;
};

// What this system calls an API's library ("vulkan", "opencl", "egl", "cuda", "nvrtc", "llvm"), best first.
// Empty where the system has none.
std::span<const char* const> library_names(std::string_view api);

// What a variable (COLLET_WEBGPU) names in place of these; "" where none does. For an API whose libraries
// programs bring along. What choose_library() chose goes before it.
std::string chosen_library(std::string_view api);
// For tests: from now on this file is the library of the API in this process.
void choose_library(std::string_view api, const std::string& path);

// The library of an API: the chosen one, else the first of library_names(). A chosen path is believed where
// nobody else could have put the file there; a name is the system loader's affair.
Result<Library> open_library(std::string_view api);

std::optional<std::string> environment(const char* name);  // none in a set-user-ID program or the like
// Every variable of this process, in no order; none in such a program, so that its children get none either.
std::vector<std::pair<std::string, std::string>> environment();

// The running program's file, and the one that holds this code: the same, or a shared libcollet. "" where the
// system does not say.
std::string executable_path();
std::string own_path();
// Where this user's caches belong, without a last slash; "" where there is no such place.
std::string cache_directory();

// How a child process ended, and what it wrote until then.
struct Ended {
  enum class How : std::uint8_t { exited, crashed, timed_out };
  How how = How::exited;
  int code = 0;        // what it exited with, or the signal or exception that ended it
  std::string name;    // of that signal or exception: "SIGSEGV"
  std::string output;  // at most `most_output` bytes; more is read and dropped
  std::string errors;  // the same of its standard error
};

// Runs a program to its end and reads both its streams meanwhile. It gets this process's environment, with
// `variables` set over it, and no standard input. Past the deadline it is asked to say where it is (see
// explain_ends()), and ended 200 ms later. It never outlives this process.
Result<Ended> run_child(const std::string& program, std::span<const std::string> arguments,
                        std::span<const std::pair<std::string, std::string>> variables, Deadline deadline,
                        std::size_t most_output);

// For a helper program: when it crashes, calls exit() before disarm() or is asked where it is, one line
// "fault <what> <library path>\n" is written to standard output; the library is the one whose code was
// running (for exit(): that called it).
void explain_ends();
void disarm_ends();

// Device files that a driver opens (/dev/dri/renderD128, /dev/nvidia0, /dev/kfd) and whether this user may.
struct DeviceNode {
  std::string path;
  bool usable = false;
  std::string owner_group;  // whose members may use it; "" where the system has no such thing
  bool in_group = false;
};
std::vector<DeviceNode> device_nodes();

// Whether this process may open so many more files (ulimit -n).
bool can_open_files(std::uint32_t count);

// Columns of the terminal at standard output; nothing where it is none.
std::optional<std::uint32_t> terminal_columns();
// Whether standard error is a terminal.
bool errors_are_seen();

// Rises in a child after fork(), and once more when the process begins to exit. An object made in an earlier
// epoch must not touch its driver: the driver's threads do not exist here any more.
extern std::atomic<std::uint32_t> epoch;
// Whether it was a fork that ended epoch `made`, not the exit.
bool forked_since(std::uint32_t made);
bool on_main_thread();
void begin_exit();

// Processors that this process may use: affinity and cgroup quota respected. At least 1.
std::uint32_t usable_processors();
// From now on the calling thread runs on this one only, as the system numbers them. False where there is no
// such processor for this process, or the system binds no threads.
bool bind_thread(std::uint32_t processor);

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
