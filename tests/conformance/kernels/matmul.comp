// c = a * b for n x n matrices, in tiles of 8 x 8; n is a multiple of 8.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, set = 0, binding = 0) readonly buffer Buffer0 { float a[]; };
layout(std430, set = 0, binding = 1) readonly buffer Buffer1 { float b[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Buffer2 { float c[]; };
layout(push_constant) uniform Constants { uint n; };
shared float tile_a[8][8];
shared float tile_b[8][8];

void main() {
  const uint row = gl_GlobalInvocationID.y, column = gl_GlobalInvocationID.x;
  const uint y = gl_LocalInvocationID.y, x = gl_LocalInvocationID.x;
  float sum = 0.0;
  for (uint tile = 0; tile < n; tile += 8) {
    tile_a[y][x] = a[row * n + tile + x];
    tile_b[y][x] = b[(tile + y) * n + column];
    barrier();
    for (uint k = 0; k < 8; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier();
  }
  c[row * n + column] = sum;
}
