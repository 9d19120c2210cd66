// c = a * b for matrices of n x n, an element per work-item.
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void naive_matmul(__global const float* restrict a, __global const float* restrict b, __global float* restrict c,
                  uint n) {
  uint column = get_global_id(0);
  uint row = get_global_id(1);
  if (column >= n || row >= n) return;
  float sum = 0.0f;
  for (uint k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
