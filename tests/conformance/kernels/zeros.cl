// Sums and products with a zero that stands in the code.
#pragma OPENCL FP_CONTRACT OFF
__kernel void zeros(__global const float* x, __global uint* sums, __global uint* products, uint count) {
  const uint i = get_global_id(0);
  if (i >= count) return;
  sums[i] = as_uint(x[i] + 0.0f);
  products[i] = as_uint(x[i] * 0.0f);
}
