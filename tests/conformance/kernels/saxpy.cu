// y[i] = a * x[i] + y[i].
extern "C" __global__ void saxpy(const float* x, float* y, float a, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = a * x[i] + y[i];
}
