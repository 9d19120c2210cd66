// Sums and products with a zero that stands in the code.
extern "C" __global__ void zeros(const float* x, uint* sums, uint* products, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  sums[i] = __float_as_uint(x[i] + 0.0f);
  products[i] = __float_as_uint(x[i] * 0.0f);
}
