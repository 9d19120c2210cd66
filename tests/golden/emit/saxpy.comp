#version 450
layout(push_constant) uniform Constants { uint w[2]; } p0_constants;
layout(std430, set = 0, binding = 0) restrict readonly buffer Block0 { float m0_x[]; };
layout(std430, set = 0, binding = 1) restrict buffer Block1 { float m1_y[]; };
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
void main() {
  const uint v0 = gl_GlobalInvocationID.x;
  const uint v1 = p0_constants.w[1];
  const uint v3 = uint(m1_y.length());
  const uint v4 = uint(m0_x.length());
  if (v0 < v1) {
    const bool v6 = v0 < v3;
    const uint v7 = p0_constants.w[0];
    precise const float v8 = uintBitsToFloat(v7);
    const bool v9 = v0 < v4;
    const uint v11 = v9 ? v0 : 0u;
    precise const float v12 = m0_x[v11];
    const uint v13 = floatBitsToUint(v12);
    const uint v15 = v9 ? v13 : 0u;
    precise const float v16 = uintBitsToFloat(v15);
    precise const float v17 = v8 * v16;
    const uint v19 = v6 ? v0 : 0u;
    precise const float v20 = m1_y[v19];
    const uint v21 = floatBitsToUint(v20);
    const uint v23 = v6 ? v21 : 0u;
    precise const float v24 = uintBitsToFloat(v23);
    precise const float v25 = v17 + v24;
    if (v6) {
      m1_y[v0] = v25;
    }
  }
}
