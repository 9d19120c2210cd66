// The same work as the kernels', in C++ on the threads of OpenMP, compiled for the processor that compiled
// it. Matrices are n x n, n a multiple of 16.
#pragma once

#include <cstddef>

#ifdef _OPENMP

namespace collet::bench {

// y = a * x + y
void openmp_saxpy(float a, const float* x, float* y, std::size_t count);
float openmp_sum(const float* x, std::size_t count);
void openmp_stencil(const float* from, float* to, std::size_t n);
// The loop nest that a translator of kernels writes: tiles copied aside, an inner loop over the items.
void openmp_tiles(const float* a, const float* b, float* c, std::size_t n);
#if defined(__GNUC__)
// 16 rows of 16 in registers, with the compiler's vectors.
void simd_tiles(const float* a, const float* b, float* c, std::size_t n);
#endif

}  // namespace collet::bench

#endif
