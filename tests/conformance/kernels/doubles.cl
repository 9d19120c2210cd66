// x[i] = x[i] + amount in f64.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void doubles(__global double* x, double amount, uint count) {
  const uint i = get_global_id(0);
  if (i < count) x[i] = x[i] + amount;
}
