#version 450
// c = a * b for matrices of n x n, an element per invocation.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) restrict readonly buffer A { float a[]; };
layout(std430, binding = 1) restrict readonly buffer B { float b[]; };
layout(std430, binding = 2) restrict writeonly buffer C { float c[]; };
layout(push_constant) uniform Arguments { uint n; };

void main() {
  uint column = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y;
  if (column >= n || row >= n) return;
  precise float sum = 0.0;
  for (uint k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
