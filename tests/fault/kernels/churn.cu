// x = 3x + 1, rounds * 1000 times.
extern "C" __global__ void churn(unsigned* x, unsigned rounds, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned value = x[i];
  for (unsigned outer = 0; outer < rounds; ++outer) {
    for (unsigned inner = 0; inner < 1000; ++inner) value = value * 3 + 1;
  }
  x[i] = value;
}
