#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum(__global const uint* restrict m0_x, __global uint* restrict m1_out, __global uint* restrict m2_watch, uint p0_length0) {
  __local uint m3_tile[64];
  const uint v0 = (uint)get_local_id(0);
  const uint v1 = (uint)get_global_id(0);
  const bool v3 = v1 < p0_length0;
  const uint v6 = m0_x[v3 ? v1 : 0u];
  m3_tile[v0] = v3 ? v6 : 0u;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (v0 == 0u) {
    uint v16 = 0;
    v16 = 0u;
    uint v18 = 0;
    for (; !(v16 >= 64u); v16 = v16 + 1u) {
      const uint v20 = v16;
      v18 = v18 + m3_tile[v20];
    }
    uint v31 = 0;
    const uint v35 = m2_watch[0u] + 3u;
    v31 = 0u;
    for (;;) {
      v31 = v31 + 1u;
      if (v31 >= v35) {
        break;
      }
    }
    if (v31 != v35) {
      m2_watch[0u] = 1u;
    }
    const uint v52 = atomic_add(((volatile __global uint*)&m1_out[0u]), v18);
  }
}
