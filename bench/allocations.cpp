// The heap's functions in front of glibc's: operator new ends here too, and so do the drivers.

#include "allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define BENCH_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BENCH_SANITIZED 1
#endif
#if defined(__GLIBC__) && !defined(BENCH_SANITIZED)
#define BENCH_COUNTS 1
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<std::uint64_t> counted{0};

[[maybe_unused]] void note() {
  if (counting.load(std::memory_order_relaxed)) counted.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

#ifdef BENCH_COUNTS

extern "C" {

// glibc's own, under the names that it keeps for this.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  note();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  note();
  *out = __libc_memalign(alignment, size);
  return *out != nullptr || size == 0 ? 0 : ENOMEM;
}

}  // extern "C"

#endif

namespace collet::bench {

void count_allocations() {
  counted.store(0);
  counting.store(true);
}

std::optional<std::uint64_t> allocations_counted() {
  counting.store(false);
#ifdef BENCH_COUNTS
  return counted.load();
#else
  return std::nullopt;
#endif
}

}  // namespace collet::bench
