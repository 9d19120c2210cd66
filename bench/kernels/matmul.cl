// c = a * b for matrices of n x n, in tiles of 16 x 16; n is a multiple of 16.
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void matmul(__global const float* restrict a, __global const float* restrict b, __global float* restrict c, uint n) {
  __local float tile_a[256];
  __local float tile_b[256];
  uint column = get_local_id(0);
  uint row = get_local_id(1);
  uint x = get_global_id(0);
  uint y = get_global_id(1);
  float sum = 0.0f;
  for (uint tile = 0; tile < n; tile += 16) {
    tile_a[row * 16 + column] = a[y * n + tile + column];
    tile_b[row * 16 + column] = b[(tile + row) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; ++k) sum += tile_a[row * 16 + k] * tile_b[k * 16 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
