// Fences in a loop that every item leaves at its own time.
extern "C" __global__ void fences(uint* rounds, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint done = 0;
  for (uint k = 0; k <= i; ++k) {
    __threadfence();
    ++done;
  }
  rounds[i] = done;
}
