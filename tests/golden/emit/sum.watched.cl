#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum(__global const uint* restrict m0_x, __global uint* restrict m1_out, __global uint* restrict m2_watch) {
  __local uint m3_tile[64];
  uint m4_notes[2];
  const uint v0 = (uint)get_local_id(0);
  const uint v1 = (uint)get_global_id(0);
  const uint v2 = m0_x[v1];
  m3_tile[v0] = v2;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (v0 == 0u) {
    uint v10 = 0;
    v10 = 0u;
    const uint v12 = (uint)get_local_id(0);
    const uint v14 = v12 & 1u;
    m4_notes[v14] = 1u;
    uint v17 = 0;
    bool again18 = false;
    for (;;) {
      if (again18) {
        const uint v32 = v10;
        const uint v33 = v32 + 1u;
        v10 = v33;
      }
      again18 = true;
      const uint v19 = v10;
      if (v19 >= 64u) {
        const uint v22 = (uint)get_local_id(0);
        const uint v24 = v22 & 1u;
        m4_notes[v24] = 0u;
        break;
      }
      const uint v28 = v17;
      const uint v29 = m3_tile[v19];
      const uint v30 = v28 + v29;
      v17 = v30;
    }
    const uint v35 = (uint)get_local_id(0);
    const uint v37 = v35 & 1u;
    const uint v38 = m4_notes[v37];
    if (v38 != 0u) {
      m2_watch[0u] = 1u;
    }
    const uint v45 = v17;
    const uint v46 = atomic_add(((volatile __global uint*)&m1_out[0u]), v45);
  }
}
