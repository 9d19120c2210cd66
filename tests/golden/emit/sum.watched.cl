#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum(__global const uint* restrict m0_x, __global uint* restrict m1_out, __global uint* restrict m2_watch) {
  __local uint m3_tile[64];
  const uint v0 = (uint)get_local_id(0);
  const uint v1 = (uint)get_global_id(0);
  const uint v2 = m0_x[v1];
  m3_tile[v0] = v2;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (v0 == 0u) {
    uint v10 = 0;
    v10 = 0u;
    uint v12 = 0;
    for (; !(v10 >= 64u); v10 = v10 + 1u) {
      const uint v14 = v10;
      const uint v18 = v12;
      const uint v19 = m3_tile[v14];
      const uint v20 = v18 + v19;
      v12 = v20;
    }
    uint v25 = 0;
    const uint v27 = m2_watch[0u];
    const uint v29 = v27 + 3u;
    v25 = 0u;
    for (;;) {
      const uint v32 = v25;
      const uint v34 = v32 + 1u;
      v25 = v34;
      const uint v36 = v25;
      if (v36 >= v29) {
        break;
      }
    }
    const uint v40 = v25;
    if (v40 != v29) {
      m2_watch[0u] = 1u;
    }
    const uint v45 = v12;
    const uint v46 = atomic_add(((volatile __global uint*)&m1_out[0u]), v45);
  }
}
