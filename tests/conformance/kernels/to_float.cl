// Unsigned integers as floats.
__kernel void to_float(__global const uint* x, __global float* y, uint count) {
  const uint i = get_global_id(0);
  if (i < count) y[i] = (float)x[i];
}
