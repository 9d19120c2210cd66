#version 450
layout(push_constant) uniform Constants { uint w[2]; } p0_constants;
layout(std430, set = 0, binding = 0) restrict readonly buffer Block0 { float m0_x[]; };
layout(std430, set = 0, binding = 1) restrict buffer Block1 { float m1_y[]; };
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
void main() {
  uint v0 = gl_GlobalInvocationID.x;
  uint v3 = uint(m1_y.length());
  uint v4 = uint(m0_x.length());
  if (v0 < p0_constants.w[1]) {
    bool v6 = v0 < v3;
    bool v9 = v0 < v4;
    uint v13 = floatBitsToUint(m0_x[v9 ? v0 : 0u]);
    uint v21 = floatBitsToUint(m1_y[v6 ? v0 : 0u]);
    precise float v25 = uintBitsToFloat(p0_constants.w[0]) * uintBitsToFloat(v9 ? v13 : 0u) + uintBitsToFloat(v6 ? v21 : 0u);
    if (v6) {
      m1_y[v0] = v25;
    }
  }
}
