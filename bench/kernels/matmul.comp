#version 450
// c = a * b for matrices of n x n, in tiles of 16 x 16; n is a multiple of 16.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) restrict readonly buffer A { float a[]; };
layout(std430, binding = 1) restrict readonly buffer B { float b[]; };
layout(std430, binding = 2) restrict writeonly buffer C { float c[]; };
layout(push_constant) uniform Arguments { uint n; };

shared float tile_a[16][16];
shared float tile_b[16][16];

void main() {
  uint column = gl_LocalInvocationID.x;
  uint row = gl_LocalInvocationID.y;
  uvec2 at = gl_GlobalInvocationID.xy;
  precise float sum = 0.0;
  for (uint tile = 0; tile < n; tile += 16) {
    tile_a[row][column] = a[at.y * n + tile + column];
    tile_b[row][column] = b[(tile + row) * n + at.x];
    barrier();
    for (uint k = 0; k < 16; ++k) sum += tile_a[row][k] * tile_b[k][column];
    barrier();
  }
  c[at.y * n + at.x] = sum;
}
