#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)
#pragma METAL fp math_mode(safe)
[[max_total_threads_per_threadgroup(64 * 1 * 1)]]
kernel void saxpy(device const float* m0_x [[buffer(0)]], device float* m1_y [[buffer(1)]], constant uint* p0_constants [[buffer(2)]], uint3 global_id [[thread_position_in_grid]]) {
  const uint v0 = global_id.x;
  const uint v3 = p0_constants[3];
  const uint v4 = p0_constants[2];
  if (v0 < p0_constants[1]) {
    const bool v6 = v0 < v3;
    const bool v9 = v0 < v4;
    const uint v13 = as_type<uint>(m0_x[v9 ? v0 : 0u]);
    const uint v21 = as_type<uint>(m1_y[v6 ? v0 : 0u]);
    const float v25 = as_type<float>(p0_constants[0]) * as_type<float>(v9 ? v13 : 0u) + as_type<float>(v6 ? v21 : 0u);
    if (v6) {
      m1_y[v0] = v25;
    }
  }
}
