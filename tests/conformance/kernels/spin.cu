// Takes a while: `rounds` steps of a generator per item; lavapipe 22 cuts loops at 65,535.
extern "C" __global__ void spin(uint* x, uint rounds, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint value = x[i];
  for (uint round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  x[i] = value;
}
