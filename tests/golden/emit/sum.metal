#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)
#pragma METAL fp math_mode(safe)
[[max_total_threads_per_threadgroup(64 * 1 * 1)]]
kernel void sum(device const uint* m0_x [[buffer(0)]], device uint* m1_out [[buffer(1)]], constant uint* p0_constants [[buffer(2)]], uint3 global_id [[thread_position_in_grid]], uint3 local_id [[thread_position_in_threadgroup]]) {
  threadgroup uint m2_tile[64];
  const uint v0 = local_id.x;
  const uint v1 = global_id.x;
  const bool v3 = v1 < p0_constants[0];
  const uint v6 = m0_x[v3 ? v1 : 0u];
  m2_tile[v0] = v3 ? v6 : 0u;
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  if (v0 == 0u) {
    uint v16 = 0;
    v16 = 0u;
    uint v18 = 0;
    for (; !(v16 >= 64u); v16 = v16 + 1u) {
      const uint v20 = v16;
      v18 = v18 + m2_tile[v20];
    }
    const uint v32 = atomic_fetch_add_explicit(((device atomic_uint*)&m1_out[0u]), v18, memory_order_relaxed);
  }
}
