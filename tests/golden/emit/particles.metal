#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)
#pragma METAL fp math_mode(safe)
[[max_total_threads_per_threadgroup(32 * 1 * 1)]]
kernel void particles(device ushort* m0_p [[buffer(0)]], constant uint* p0_constants [[buffer(1)]], uint3 global_id [[thread_position_in_grid]]) {
  const uint v0 = global_id.x;
  const bool v2 = v0 < p0_constants[2];
  const uint v4 = v2 ? v0 : 0u;
  const uint v6 = v4 * 6u;
  const float v16 = as_type<float>((uint)m0_p[v6] | ((uint)m0_p[v6 + 1u] << 16u));
  const float v22 = as_type<float>(p0_constants[1]);
  const float v23 = as_type<float>(v2 ? as_type<uint>(v16) : 0u) * v22;
  const uint v27 = v4 * 6u + 2u;
  const float v37 = as_type<float>((uint)m0_p[v27] | ((uint)m0_p[v27 + 1u] << 16u));
  const float v41 = as_type<float>(v2 ? as_type<uint>(v37) : 0u) * v22;
  const ushort v48 = m0_p[(v2 ? v0 : 0u) * 6u + 4u];
  if (v2) {
    const uint v53 = v0 * 6u;
    const uint v54 = as_type<uint>(v23);
    m0_p[v53] = (ushort)v54;
    m0_p[v53 + 1u] = (ushort)(v54 >> 16u);
    const uint v66 = v0 * 6u + 2u;
    const uint v67 = as_type<uint>(v41);
    m0_p[v66] = (ushort)v67;
    m0_p[v66 + 1u] = (ushort)(v67 >> 16u);
  }
  const int v89 = (int)(((v22 >= (-2147483648.0f)) & (v22 < 2147483648.0f)) ? v22 : 0.0f);
  const int v91 = (v22 >= 2147483648.0f) ? 2147483647 : ((v22 < (-2147483648.0f)) ? (-2147483647 - 1) : v89);
  const int v93 = (int)(uint)(v2 ? v48 : 0);
  const uint v105 = (uint)(v91 / (((v93 == 0) | ((v91 == (-2147483647 - 1)) & (v93 == (0 - 1)))) ? 1 : v93));
  const ushort v106 = (ushort)v105;
  if (v2) {
    m0_p[v0 * 6u + 4u] = v106;
  }
}
