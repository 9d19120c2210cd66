// Buffers and constants in turns, the count among them.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint result[]; };
layout(std430, set = 0, binding = 1) readonly buffer Buffer1 { uint x[]; };
layout(push_constant) uniform Constants { uint a; uint b; uint count; uint c; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  result[i] = a + 10 * b + 100 * c + 1000 * x[i];
}
