#version 430
layout(std430, binding = 0) restrict readonly buffer Block0 { uint m0_x[]; };
layout(std430, binding = 1) restrict buffer Block1 { uint m1_out[]; };
shared uint m2_tile[64];
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
void main() {
  uint v0 = gl_LocalInvocationID.x;
  uint v1 = gl_GlobalInvocationID.x;
  bool v3 = v1 < uint(m0_x.length());
  uint v6 = m0_x[v3 ? v1 : 0u];
  m2_tile[v0] = v3 ? v6 : 0u;
  groupMemoryBarrier(); barrier();
  if (v0 == 0u) {
    uint v16 = 0u;
    v16 = 0u;
    uint v18 = 0u;
    for (; !(v16 >= 64u); v16 = v16 + 1u) {
      uint v20 = v16;
      v18 = v18 + m2_tile[v20];
    }
    uint v32 = atomicAdd(m1_out[0u], v18);
  }
}
