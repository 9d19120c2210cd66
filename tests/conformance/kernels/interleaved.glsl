// Buffers and constants in turns, the count among them.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) buffer Buffer0 { uint result[]; };
layout(std430, binding = 1) readonly buffer Buffer1 { uint x[]; };
layout(std140, binding = 0) uniform Constants { uint a; uint b; uint count; uint c; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  result[i] = a + 10u * b + 100u * c + 1000u * x[i];
}
