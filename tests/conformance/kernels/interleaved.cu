// Buffers and constants in turns, the count among them.
extern "C" __global__ void interleaved(uint a, uint* result, uint b, const uint* x, uint count, uint c) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) result[i] = a + 10 * b + 100 * c + 1000 * x[i];
}
