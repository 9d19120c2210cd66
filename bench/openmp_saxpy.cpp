// What the interpreter's saxpy is measured against. Compiled with flags of its own: see CMakeLists.txt.

#ifdef _OPENMP

#include <cstddef>

namespace collet::bench {

void openmp_saxpy(float a, const float* x, float* y, std::size_t count) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count; ++i) y[i] = a * x[i] + y[i];
}

}  // namespace collet::bench

#endif
