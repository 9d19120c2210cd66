// Takes a while: `rounds` steps of a generator per item; lavapipe 22 cuts loops at 65,535.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) buffer Buffer0 { uint x[]; };
layout(std140, binding = 0) uniform Constants { uint rounds; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  uint value = x[i];
  for (uint round = 0u; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  x[i] = value;
}
