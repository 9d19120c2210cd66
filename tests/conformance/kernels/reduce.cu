// sums[group] = the sum of the group's elements; the group size is a power of two.
extern "C" __global__ void reduce(const uint* x, uint* sums, uint count) {
  extern __shared__ uint partial[];
  const uint i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x;
  partial[at] = i < count ? x[i] : 0;
  __syncthreads();
  for (uint half_size = blockDim.x / 2; half_size > 0; half_size /= 2) {
    if (at < half_size) partial[at] += partial[at + half_size];
    __syncthreads();
  }
  if (at == 0) sums[blockIdx.x] = partial[0];
}
