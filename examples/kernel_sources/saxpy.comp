#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Arguments { float a; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) y[i] = a * x[i] + y[i];
}
