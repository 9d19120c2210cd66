#pragma OPENCL FP_CONTRACT OFF
typedef struct { uint w[2]; } p0_settings_t;
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void particles(__global ushort* restrict m0_p, p0_settings_t p0_settings, uint p1_length0) {
  const uint v0 = (uint)get_global_id(0);
  const uint v1 = p1_length0;
  const bool v2 = v0 < v1;
  const uint v4 = v2 ? v0 : 0u;
  const uint v6 = v4 * 6u;
  const ushort v7 = m0_p[v6];
  const uint v8 = (uint)v7;
  const uint v10 = v6 + 1u;
  const ushort v11 = m0_p[v10];
  const uint v12 = (uint)v11;
  const uint v14 = v12 << 16u;
  const uint v15 = v8 | v14;
  const float v16 = as_float(v15);
  const uint v17 = as_uint(v16);
  const uint v19 = v2 ? v17 : 0u;
  const float v20 = as_float(v19);
  const uint v21 = p0_settings.w[1];
  const float v22 = as_float(v21);
  const float v23 = v20 * v22;
  const uint v25 = v4 * 6u;
  const uint v27 = v25 + 2u;
  const ushort v28 = m0_p[v27];
  const uint v29 = (uint)v28;
  const uint v31 = v27 + 1u;
  const ushort v32 = m0_p[v31];
  const uint v33 = (uint)v32;
  const uint v35 = v33 << 16u;
  const uint v36 = v29 | v35;
  const float v37 = as_float(v36);
  const uint v38 = as_uint(v37);
  const uint v39 = v2 ? v38 : 0u;
  const float v40 = as_float(v39);
  const float v41 = v40 * v22;
  const uint v43 = v2 ? v0 : 0u;
  const uint v45 = v43 * 6u;
  const uint v47 = v45 + 4u;
  const ushort v48 = m0_p[v47];
  const ushort v50 = v2 ? v48 : 0;
  if (v2) {
    const uint v53 = v0 * 6u;
    const uint v54 = as_uint(v23);
    const ushort v55 = (ushort)v54;
    m0_p[v53] = v55;
    const uint v58 = v53 + 1u;
    const uint v60 = v54 >> 16u;
    const ushort v61 = (ushort)v60;
    m0_p[v58] = v61;
    const uint v64 = v0 * 6u;
    const uint v66 = v64 + 2u;
    const uint v67 = as_uint(v41);
    const ushort v68 = (ushort)v67;
    m0_p[v66] = v68;
    const uint v71 = v66 + 1u;
    const uint v73 = v67 >> 16u;
    const ushort v74 = (ushort)v73;
    m0_p[v71] = v74;
  }
  const bool v77 = v22 >= 2147483648.0f;
  const bool v80 = v22 < (-2147483648.0f);
  const bool v83 = v22 >= (-2147483648.0f);
  const bool v85 = v22 < 2147483648.0f;
  const bool v86 = v83 & v85;
  const float v88 = v86 ? v22 : 0.0f;
  const int v89 = (int)v88;
  const int v90 = v80 ? (-2147483647 - 1) : v89;
  const int v91 = v77 ? 2147483647 : v90;
  const uint v92 = (uint)v50;
  const int v93 = (int)v92;
  const bool v95 = v93 == 0;
  const bool v97 = v91 == (-2147483647 - 1);
  const bool v99 = v93 == (0 - 1);
  const bool v100 = v97 & v99;
  const bool v101 = v95 | v100;
  const int v103 = v101 ? 1 : v93;
  const int v104 = v91 / v103;
  const uint v105 = (uint)v104;
  const ushort v106 = (ushort)v105;
  if (v2) {
    const uint v109 = v0 * 6u;
    const uint v111 = v109 + 4u;
    m0_p[v111] = v106;
  }
}
