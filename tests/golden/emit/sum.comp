#version 450
layout(std430, set = 0, binding = 0) restrict readonly buffer Block0 { uint m0_x[]; };
layout(std430, set = 0, binding = 1) restrict buffer Block1 { uint m1_out[]; };
shared uint m2_tile[64];
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
void main() {
  const uint v0 = gl_LocalInvocationID.x;
  const uint v1 = gl_GlobalInvocationID.x;
  const uint v2 = uint(m0_x.length());
  const bool v3 = v1 < v2;
  const uint v5 = v3 ? v1 : 0u;
  const uint v6 = m0_x[v5];
  const uint v8 = v3 ? v6 : 0u;
  m2_tile[v0] = v8;
  groupMemoryBarrier(); barrier();
  if (v0 == 0u) {
    uint v16 = 0u;
    v16 = 0u;
    uint v18 = 0u;
    for (; !(v16 >= 64u); v16 = v16 + 1u) {
      const uint v20 = v16;
      const uint v24 = v18;
      const uint v25 = m2_tile[v20];
      const uint v26 = v24 + v25;
      v18 = v26;
    }
    const uint v31 = v18;
    const uint v32 = atomicAdd(m1_out[0u], v31);
  }
}
