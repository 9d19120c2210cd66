// x[i] = x[i] * factor + i in 64 bits.
extern "C" __global__ void wide(ulong* x, ulong factor, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = x[i] * factor + i;
}
