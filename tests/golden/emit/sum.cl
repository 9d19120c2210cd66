#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum(__global const uint* restrict m0_x, __global uint* restrict m1_out) {
  __local uint m2_tile[64];
  const uint v0 = (uint)get_local_id(0);
  const uint v1 = (uint)get_global_id(0);
  const uint v2 = m0_x[v1];
  m2_tile[v0] = v2;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (v0 == 0u) {
    uint v10 = 0;
    v10 = 0u;
    uint v12 = 0;
    for (; !(v10 >= 64u); v10 = v10 + 1u) {
      const uint v14 = v10;
      const uint v18 = v12;
      const uint v19 = m2_tile[v14];
      const uint v20 = v18 + v19;
      v12 = v20;
    }
    const uint v25 = v12;
    const uint v26 = atomic_add(((volatile __global uint*)&m1_out[0u]), v25);
  }
}
