// A negative constant as a float.
extern "C" __global__ void negative(float* y, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  const int constant_ = -5;
  if (i < count) y[i] = (float)constant_;
}
