// x[i] = x[i] + amount in f64.
extern "C" __global__ void doubles(double* x, double amount, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = x[i] + amount;
}
