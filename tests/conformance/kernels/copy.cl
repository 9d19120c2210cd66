// y[i] = x[i].
__kernel void copy(__global const uint* x, __global uint* y, uint count) {
  const uint i = get_global_id(0);
  if (i < count) y[i] = x[i];
}
