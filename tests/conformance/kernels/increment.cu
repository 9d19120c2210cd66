// x[i] += 1.
extern "C" __global__ void increment(uint* x, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] += 1;
}
