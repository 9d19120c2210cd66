// y = a * x + y.
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void saxpy(__global const float* restrict x, __global float* restrict y, float a, uint count) {
  size_t i = get_global_id(0);
  if (i < count) y[i] = a * x[i] + y[i];
}
