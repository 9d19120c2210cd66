#version 430
// x = 3x + 1, rounds * 1000 times.
layout(local_size_x = COLLET_GROUP_X) in;
layout(std430, binding = 0) buffer X { uint x[]; };
layout(std140, binding = 0) uniform Arguments { uint rounds; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  uint value = x[i];
  for (uint outer = 0u; outer < rounds; ++outer) {
    for (uint inner = 0u; inner < 1000u; ++inner) value = value * 3u + 1u;
  }
  x[i] = value;
}
