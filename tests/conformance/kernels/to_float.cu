// Unsigned integers as floats.
extern "C" __global__ void to_float(const uint* x, float* y, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = (float)x[i];
}
