#version 450
// y = a * x + y.
layout(local_size_x = 256) in;
layout(std430, binding = 0) restrict readonly buffer X { float x[]; };
layout(std430, binding = 1) restrict buffer Y { float y[]; };
layout(push_constant) uniform Arguments { float a; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  precise float sum = a * x[i] + y[i];
  y[i] = sum;
}
