// c = a * b for n x n matrices, in tiles of 8 x 8; n is a multiple of 8.
__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void matmul(__global const float* a,
                                                                    __global const float* b,
                                                                    __global float* c, uint n) {
  __local float tile_a[8][8];
  __local float tile_b[8][8];
  const uint row = get_global_id(1), column = get_global_id(0);
  const uint y = get_local_id(1), x = get_local_id(0);
  float sum = 0.0f;
  for (uint tile = 0; tile < n; tile += 8) {
    tile_a[y][x] = a[row * n + tile + x];
    tile_b[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 8; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
