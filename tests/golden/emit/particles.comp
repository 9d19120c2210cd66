#version 450
layout(push_constant) uniform Constants { uint w[2]; } p0_constants;
layout(std430, set = 0, binding = 0) restrict buffer Block0 { uint m0_p[]; };
layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;
void main() {
  const uint v0 = gl_GlobalInvocationID.x;
  const uint v1 = uint(m0_p.length());
  const uint v3 = v1 / 3u;
  const bool v4 = v0 < v3;
  const uint v6 = v4 ? v0 : 0u;
  const uint v8 = v6 * 3u;
  const uint v9 = m0_p[v8];
  precise const float v10 = uintBitsToFloat(v9);
  const uint v11 = floatBitsToUint(v10);
  const uint v13 = v4 ? v11 : 0u;
  precise const float v14 = uintBitsToFloat(v13);
  const uint v15 = p0_constants.w[1];
  precise const float v16 = uintBitsToFloat(v15);
  precise const float v17 = v14 * v16;
  const uint v19 = v6 * 3u;
  const uint v21 = v19 + 1u;
  const uint v22 = m0_p[v21];
  precise const float v23 = uintBitsToFloat(v22);
  const uint v24 = floatBitsToUint(v23);
  const uint v25 = v4 ? v24 : 0u;
  precise const float v26 = uintBitsToFloat(v25);
  precise const float v27 = v26 * v16;
  const uint v29 = v4 ? v0 : 0u;
  const uint v31 = v29 * 3u;
  const uint v33 = v31 + 2u;
  const uint v34 = m0_p[v33];
  const uint v36 = v34 & 65535u;
  const uint v38 = v4 ? v36 : 0u;
  if (v4) {
    const uint v41 = v0 * 3u;
    const uint v42 = floatBitsToUint(v17);
    m0_p[v41] = v42;
    const uint v45 = v0 * 3u;
    const uint v47 = v45 + 1u;
    const uint v48 = floatBitsToUint(v27);
    m0_p[v47] = v48;
  }
  const bool v51 = v16 >= 2147483648.0;
  const bool v54 = v16 < (-2147483648.0);
  const bool v57 = v16 >= (-2147483648.0);
  const bool v59 = v16 < 2147483648.0;
  const bool v60 = v57 && v59;
  precise const float v62 = v60 ? v16 : 0.0;
  const int v63 = int(v62);
  const int v64 = v54 ? (-2147483647 - 1) : v63;
  const int v65 = v51 ? 2147483647 : v64;
  const int v66 = int(v38);
  const bool v68 = v66 == 0;
  const bool v70 = v65 == (-2147483647 - 1);
  const bool v72 = v66 == (0 - 1);
  const bool v73 = v70 && v72;
  const bool v74 = v68 || v73;
  const int v76 = v74 ? 1 : v66;
  const int v77 = v65 / v76;
  const uint v78 = uint(v77);
  const uint v80 = v78 & 65535u;
  if (v4) {
    const uint v83 = v0 * 3u;
    const uint v85 = v83 + 2u;
    const uint v86 = atomicOr(m0_p[v85], 0u);
    uint v87 = 0u;
    v87 = v86;
    for (;;) {
      const uint v91 = v87;
      const uint v92 = v91 & 4294901760u;
      const uint v93 = v92 | v80;
      const uint v94 = atomicCompSwap(m0_p[v85], v91, v93);
      if (v94 == v91) {
        break;
      }
      v87 = v94;
    }
  }
}
