extern "C" __global__ void __launch_bounds__(8) branches(uint* first, uint* second, uint some, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = i < count;
  if (blockIdx.x < some) {
    __syncthreads();
    if (exists) first[i] = i + 1;
  }
  if (exists) second[i] = 13;
}
