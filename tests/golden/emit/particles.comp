#version 450
layout(push_constant) uniform Constants { uint w[2]; } p0_constants;
layout(std430, set = 0, binding = 0) restrict buffer Block0 { uint m0_p[]; };
layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;
void main() {
  uint v0 = gl_GlobalInvocationID.x;
  bool v4 = v0 < uint(m0_p.length()) / 3u;
  uint v6 = v4 ? v0 : 0u;
  uint v11 = floatBitsToUint(uintBitsToFloat(m0_p[v6 * 3u]));
  float v16 = uintBitsToFloat(p0_constants.w[1]);
  precise float v17 = uintBitsToFloat(v4 ? v11 : 0u) * v16;
  uint v24 = floatBitsToUint(uintBitsToFloat(m0_p[v6 * 3u + 1u]));
  precise float v27 = uintBitsToFloat(v4 ? v24 : 0u) * v16;
  uint v36 = m0_p[(v4 ? v0 : 0u) * 3u + 2u] & 65535u;
  if (v4) {
    m0_p[v0 * 3u] = floatBitsToUint(v17);
    m0_p[v0 * 3u + 1u] = floatBitsToUint(v27);
  }
  int v63 = int(((v16 >= (-2147483648.0)) && (v16 < 2147483648.0)) ? v16 : 0.0);
  int v65 = (v16 >= 2147483648.0) ? 2147483647 : ((v16 < (-2147483648.0)) ? (-2147483647 - 1) : v63);
  int v66 = int(v4 ? v36 : 0u);
  uint v78 = uint(v65 / (((v66 == 0) || ((v65 == (-2147483647 - 1)) && (v66 == (0 - 1)))) ? 1 : v66));
  uint v80 = v78 & 65535u;
  if (v4) {
    uint v85 = v0 * 3u + 2u;
    uint v86 = atomicOr(m0_p[v85], 0u);
    uint v87 = 0u;
    v87 = v86;
    for (;;) {
      uint v91 = v87;
      uint v94 = atomicCompSwap(m0_p[v85], v91, (v91 & 4294901760u) | v80);
      if (v94 == v91) {
        break;
      }
      v87 = v94;
    }
  }
}
