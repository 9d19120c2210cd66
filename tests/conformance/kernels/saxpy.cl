// y[i] = a * x[i] + y[i].
__kernel void saxpy(__global const float* x, __global float* y, float a, uint count) {
  const uint i = get_global_id(0);
  if (i < count) y[i] = a * x[i] + y[i];
}
