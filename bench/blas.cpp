// Debian's OpenBLAS may take a new processor for an old one; it believes OPENBLAS_CORETYPE.

#include "blas.hpp"

#include <cstdlib>
#include <thread>

#include "platform/platform.hpp"

namespace collet::bench {
namespace {

// Values of cblas.h.
constexpr int kRowMajor = 101;
constexpr int kAsItIs = 111;

using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float,
                       float*, int);

}  // namespace

std::optional<Multiply> open_blas() {
#if defined(__x86_64__) && defined(__unix__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512vl")) {
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
  } else if (__builtin_cpu_supports("avx2")) {
    setenv("OPENBLAS_CORETYPE", "Haswell", 0);
  }
#endif
  static constexpr const char* kNames[] = {"libopenblas.so.0", "libopenblas.dylib", "libopenblas.dll"};
  static const auto library = platform::Library::open(kNames);
  if (!library) return std::nullopt;
  const auto multiply = reinterpret_cast<Sgemm>(library->symbol("cblas_sgemm"));
  const auto set_threads = reinterpret_cast<void (*)(int)>(library->symbol("openblas_set_num_threads"));
  if (multiply == nullptr || set_threads == nullptr) return std::nullopt;
  set_threads(static_cast<int>(std::thread::hardware_concurrency()));
  return [=](const float* a, const float* b, float* c, std::size_t n) {
    const int size = static_cast<int>(n);
    multiply(kRowMajor, kAsItIs, kAsItIs, size, size, size, 1, a, size, b, size, 0, c, size);
  };
}

}  // namespace collet::bench
