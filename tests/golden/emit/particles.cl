#pragma OPENCL FP_CONTRACT OFF
typedef struct { uint w[2]; } p0_settings_t;
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void particles(__global ushort* restrict m0_p, p0_settings_t p0_settings, uint p1_length0) {
  const uint v0 = (uint)get_global_id(0);
  const bool v2 = v0 < p1_length0;
  const uint v4 = v2 ? v0 : 0u;
  const uint v6 = v4 * 6u;
  const float v16 = as_float((uint)m0_p[v6] | ((uint)m0_p[v6 + 1u] << 16u));
  const float v22 = as_float(p0_settings.w[1]);
  const float v23 = as_float(v2 ? as_uint(v16) : 0u) * v22;
  const uint v27 = v4 * 6u + 2u;
  const float v37 = as_float((uint)m0_p[v27] | ((uint)m0_p[v27 + 1u] << 16u));
  const float v41 = as_float(v2 ? as_uint(v37) : 0u) * v22;
  const ushort v48 = m0_p[(v2 ? v0 : 0u) * 6u + 4u];
  if (v2) {
    const uint v53 = v0 * 6u;
    const uint v54 = as_uint(v23);
    m0_p[v53] = (ushort)v54;
    m0_p[v53 + 1u] = (ushort)(v54 >> 16u);
    const uint v66 = v0 * 6u + 2u;
    const uint v67 = as_uint(v41);
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
