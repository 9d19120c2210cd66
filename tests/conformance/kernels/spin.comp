// Takes a while: `rounds` steps of a generator per item; lavapipe 22 cuts loops at 65,535.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint x[]; };
layout(push_constant) uniform Constants { uint rounds; uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  uint value = x[i];
  for (uint round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  x[i] = value;
}
