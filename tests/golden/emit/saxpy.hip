#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
#pragma clang fp contract(off)
extern "C" __global__ void __launch_bounds__(64 * 1 * 1) saxpy(const float* __restrict__ m0_x, float* __restrict__ m1_y, float p0_a, unsigned int p1_count0, unsigned int p2_length0, unsigned int p3_length1) {
  const unsigned int v0 = blockIdx.x * blockDim.x + threadIdx.x;
  if (v0 < p1_count0) {
    const bool v6 = v0 < p3_length1;
    const bool v8 = v0 < p2_length0;
    const unsigned int v12 = __float_as_uint(m0_x[v8 ? v0 : 0u]);
    const unsigned int v20 = __float_as_uint(m1_y[v6 ? v0 : 0u]);
    const float v24 = p0_a * __uint_as_float(v8 ? v12 : 0u) + __uint_as_float(v6 ? v20 : 0u);
    if (v6) {
      m1_y[v0] = v24;
    }
  }
}
