#version 430
layout(std140, binding = 0) uniform Constants { uvec4 w[1]; } p0_constants;
layout(std430, binding = 0) restrict buffer Block0 { uint m0_x[]; };
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
void main() {
  uint v0 = 0u;
  v0 = 0u;
  uint v3 = p0_constants.w[0][0];
  uint v4 = uint(m0_x.length());
  uint v5 = gl_GlobalInvocationID.x;
  uint v7 = 0u;
  for (; !(v0 >= v3); v0 = v0 + 1u) {
    uint v10 = v0;
    bool v14 = v10 < v4;
    uint v17 = m0_x[v14 ? v10 : 0u];
    uint v19 = v14 ? v17 : 0u;
    if ((v19 < v5) && (v19 > 3u)) {
      continue;
    }
    v7 = v19;
  }
  uint v29 = 0u;
  v29 = 0u;
  bool v31 = false;
  v31 = 0u < v3;
  for (;;) {
    if (!v31) {
      break;
    }
    uint v39 = v29;
    bool v40 = v39 < v5;
    if (v40) {
      if (v39 < v4) {
        m0_x[v39] = v39;
      }
    }
    if (v40) {
      v7 = v39;
    }
    uint v47 = v29;
    v31 = v3 - v47 > 3u;
    v29 = v47 + 3u;
  }
  for (; v7 < v3; ) {
    uint v54 = v7;
    v7 = v54 + 1u;
  }
  uint v62 = v7;
  if (v5 < v4) {
    m0_x[v5] = v62;
  }
}
