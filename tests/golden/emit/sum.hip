#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
#pragma clang fp contract(off)
extern "C" __global__ void __launch_bounds__(64 * 1 * 1) sum(const unsigned int* __restrict__ m0_x, unsigned int* __restrict__ m1_out, unsigned int p0_length0) {
  __shared__ unsigned int m2_tile[64];
  const unsigned int v0 = (unsigned int)threadIdx.x;
  const unsigned int v1 = blockIdx.x * blockDim.x + threadIdx.x;
  const bool v3 = v1 < p0_length0;
  const unsigned int v6 = m0_x[v3 ? v1 : 0u];
  m2_tile[v0] = v3 ? v6 : 0u;
  __syncthreads();
  if (v0 == 0u) {
    unsigned int v16 = 0;
    v16 = 0u;
    unsigned int v18 = 0;
    for (; !(v16 >= 64u); v16 = v16 + 1u) {
      const unsigned int v20 = v16;
      v18 = v18 + m2_tile[v20];
    }
    const unsigned int v32 = atomicAdd(((unsigned int*)&m1_out[0u]), v18);
  }
}
