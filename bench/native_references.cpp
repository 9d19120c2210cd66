// What native code is measured against: C++ as somebody writes it who knows the processor. Compiled with
// flags of its own: see CMakeLists.txt.

#include "native_references.hpp"

#ifdef _OPENMP

namespace collet::bench {
namespace {

constexpr std::size_t kTile = 16;

#if defined(__GNUC__)
// 16 floats, which the compiler keeps in as few registers as the processor allows.
typedef float Row __attribute__((vector_size(64), aligned(4)));
#endif

}  // namespace

void openmp_saxpy(float a, const float* x, float* y, std::size_t count) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count; ++i) y[i] = a * x[i] + y[i];
}

float openmp_sum(const float* x, std::size_t count) {
  float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (std::size_t i = 0; i < count; ++i) sum += x[i];
  return sum;
}

void openmp_stencil(const float* from, float* to, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t y = 0; y < n; ++y) {
    const float* row = from + y * n;
    float* out = to + y * n;
    if (y == 0 || y == n - 1) {
      for (std::size_t x = 0; x < n; ++x) out[x] = row[x];
      continue;
    }
    out[0] = row[0];
    out[n - 1] = row[n - 1];
#pragma omp simd
    for (std::size_t x = 1; x < n - 1; ++x)
      out[x] = (row[x] + row[x - 1] + row[x + 1] + row[x - n] + row[x + n]) * 0.2f;
  }
}

void openmp_tiles(const float* __restrict a, const float* __restrict b, float* __restrict c, std::size_t n) {
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t top = 0; top < n; top += kTile) {
    for (std::size_t left = 0; left < n; left += kTile) {
      float sum[kTile][kTile] = {};
      for (std::size_t tile = 0; tile < n; tile += kTile) {
        float tile_a[kTile][kTile];
        float tile_b[kTile][kTile];
        for (std::size_t y = 0; y < kTile; ++y) {
          for (std::size_t x = 0; x < kTile; ++x) {
            tile_a[y][x] = a[(top + y) * n + tile + x];
            tile_b[y][x] = b[(tile + y) * n + left + x];
          }
        }
        for (std::size_t y = 0; y < kTile; ++y) {
          for (std::size_t k = 0; k < kTile; ++k) {
#pragma omp simd
            for (std::size_t x = 0; x < kTile; ++x) sum[y][x] += tile_a[y][k] * tile_b[k][x];
          }
        }
      }
      for (std::size_t y = 0; y < kTile; ++y) {
        for (std::size_t x = 0; x < kTile; ++x) c[(top + y) * n + left + x] = sum[y][x];
      }
    }
  }
}

#if defined(__GNUC__)
void simd_tiles(const float* __restrict a, const float* __restrict b, float* __restrict c, std::size_t n) {
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t top = 0; top < n; top += kTile) {
    for (std::size_t left = 0; left < n; left += kTile) {
      Row sum[kTile] = {};
      for (std::size_t k = 0; k < n; ++k) {
        const Row row = *reinterpret_cast<const Row*>(b + k * n + left);
        for (std::size_t y = 0; y < kTile; ++y) sum[y] += a[(top + y) * n + k] * row;
      }
      for (std::size_t y = 0; y < kTile; ++y) *reinterpret_cast<Row*>(c + (top + y) * n + left) = sum[y];
    }
  }
}
#endif

}  // namespace collet::bench

#endif
