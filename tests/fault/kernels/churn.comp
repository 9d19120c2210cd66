#version 450
// x = 3x + 1, rounds * 1000 times. Two loops: lavapipe leaves a loop after 65,535 rounds.
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) buffer X { uint x[]; };
layout(push_constant) uniform Arguments { uint rounds; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  uint value = x[i];
  for (uint outer = 0; outer < rounds; ++outer) {
    for (uint inner = 0; inner < 1000; ++inner) value = value * 3 + 1;
  }
  x[i] = value;
}
