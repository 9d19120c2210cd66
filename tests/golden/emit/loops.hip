#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
#pragma clang fp contract(off)
extern "C" __global__ void __launch_bounds__(64 * 1 * 1) loops(unsigned int* __restrict__ m0_x, unsigned int p0_n, unsigned int p1_length0) {
  unsigned int v0 = 0;
  v0 = 0u;
  const unsigned int v5 = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int v7 = 0;
  for (; !(v0 >= p0_n); v0 = v0 + 1u) {
    const unsigned int v10 = v0;
    const bool v14 = v10 < p1_length0;
    const unsigned int v17 = m0_x[v14 ? v10 : 0u];
    const unsigned int v19 = v14 ? v17 : 0u;
    if ((v19 < v5) && (v19 > 3u)) {
      continue;
    }
    v7 = v19;
  }
  unsigned int v29 = 0;
  v29 = 0u;
  bool v31 = 0;
  v31 = 0u < p0_n;
  for (;;) {
    if (!v31) {
      break;
    }
    const unsigned int v39 = v29;
    const bool v40 = v39 < v5;
    if (v40) {
      if (v39 < p1_length0) {
        m0_x[v39] = v39;
      }
    }
    if (v40) {
      v7 = v39;
    }
    const unsigned int v47 = v29;
    v31 = p0_n - v47 > 3u;
    v29 = v47 + 3u;
  }
  for (; v7 < p0_n; ) {
    const unsigned int v54 = v7;
    v7 = v54 + 1u;
  }
  const unsigned int v62 = v7;
  if (v5 < p1_length0) {
    m0_x[v5] = v62;
  }
}
