// What Linux, Android and macOS have in common: libraries, environment, fork, pages, terminal.

#include "platform/posix.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "platform/fence.hpp"
#include "platform/platform.hpp"
#include "platform/thread.hpp"

extern char** environ;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COLLET_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COLLET_SANITIZER 1
#endif
#endif

namespace collet::platform {

constinit std::atomic<std::uint32_t> epoch{0};

namespace {

std::atomic<std::uint32_t> last_fork{0};  // the epoch that the last fork began

[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] {
  last_fork.store(epoch.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
});

// macOS and Android look into the library itself first anyway; sanitizers refuse the flag, and their programs
// bring no second LLVM.
#if defined(RTLD_DEEPBIND) && !defined(COLLET_SANITIZER)
constexpr int kOwnSymbolsFirst = RTLD_DEEPBIND;
#else
constexpr int kOwnSymbolsFirst = 0;
#endif

}  // namespace

Result<Library> Library::open(std::span<const char* const> names, bool apart) {
  const int flags = RTLD_NOW | RTLD_LOCAL | (apart ? kOwnSymbolsFirst : 0);
  std::string words;
  for (const char* name : names) {
    if (void* handle = dlopen(name, flags)) {
      std::string path = loaded_path(handle);
      return Library(handle, path.empty() ? name : std::move(path));
    }
    const char* reason = dlerror();  // NOLINT(concurrency-mt-unsafe): per thread in every system's C library
    if (!words.empty()) words += "; ";
    words += reason != nullptr ? reason : name;
  }
  return Error(ErrorCode::unavailable, Category::initialisation, Cause::library_not_found, words);
}

void* Library::symbol(const char* name) const { return dlsym(handle_, name); }

std::optional<std::string> environment(const char* name) {
  if (has_foreign_user()) return std::nullopt;
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): Collet never sets variables
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::vector<std::pair<std::string, std::string>> environment() {
  std::vector<std::pair<std::string, std::string>> all;
  if (has_foreign_user()) return all;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string_view text = *one;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

std::string thread_limits() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return " This user may have " + std::to_string(limit.rlim_cur) + " processes and threads in all.";
}

std::uint64_t thread_stack_bytes() {
  pthread_attr_t defaults;
  if (pthread_attr_init(&defaults) != 0) return PTHREAD_STACK_MIN;
  std::size_t bytes = PTHREAD_STACK_MIN;
  pthread_attr_getstacksize(&defaults, &bytes);
  pthread_attr_destroy(&defaults);
  return bytes;
}

bool can_open_files(std::uint32_t count) {
  if (count == 0) return true;
  const int file = open("/", O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno != EMFILE && errno != ENFILE;  // a sandbox may forbid this folder
  const bool can = can_open_files(count - 1);
  close(file);
  return can;
}

std::optional<std::uint32_t> terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool errors_are_seen() { return isatty(STDERR_FILENO) == 1; }

bool forked_since(std::uint32_t made) { return last_fork.load(std::memory_order_relaxed) > made; }

void begin_exit() { epoch.fetch_add(1); }

void* map_pages(std::size_t size) {
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
#ifdef MADV_HUGEPAGE
  if (size >= (2u << 20)) madvise(pages, size, MADV_HUGEPAGE);
#endif
  return pages;
}

void unmap_pages(void* pages, std::size_t size) { munmap(pages, size); }

bool forbid_pages(void* pages, std::size_t size) { return mprotect(pages, size, PROT_NONE) == 0; }

}  // namespace collet::platform
