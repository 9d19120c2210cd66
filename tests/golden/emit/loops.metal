#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)
#pragma METAL fp math_mode(safe)
[[max_total_threads_per_threadgroup(64 * 1 * 1)]]
kernel void loops(device uint* m0_x [[buffer(0)]], constant uint* p0_constants [[buffer(1)]], uint3 global_id [[thread_position_in_grid]]) {
  uint v0 = 0;
  v0 = 0u;
  const uint v3 = p0_constants[0];
  const uint v4 = p0_constants[1];
  const uint v5 = global_id.x;
  uint v7 = 0;
  for (; !(v0 >= v3); v0 = v0 + 1u) {
    const uint v10 = v0;
    const bool v14 = v10 < v4;
    const uint v17 = m0_x[v14 ? v10 : 0u];
    const uint v19 = v14 ? v17 : 0u;
    if ((v19 < v5) && (v19 > 3u)) {
      continue;
    }
    v7 = v19;
  }
  uint v29 = 0;
  v29 = 0u;
  bool v31 = 0;
  v31 = 0u < v3;
  for (;;) {
    if (!v31) {
      break;
    }
    const uint v39 = v29;
    const bool v40 = v39 < v5;
    if (v40) {
      if (v39 < v4) {
        m0_x[v39] = v39;
      }
    }
    if (v40) {
      v7 = v39;
    }
    const uint v47 = v29;
    v31 = v3 - v47 > 3u;
    v29 = v47 + 3u;
  }
  for (; v7 < v3; ) {
    const uint v54 = v7;
    v7 = v54 + 1u;
  }
  const uint v62 = v7;
  if (v5 < v4) {
    m0_x[v5] = v62;
  }
}
