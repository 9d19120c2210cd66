#version 430
// y[i] = a * x[i] + y[i].
layout(local_size_x = COLLET_GROUP_X) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(std140, binding = 0) uniform Arguments { float a; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) y[i] = a * x[i] + y[i];
}
