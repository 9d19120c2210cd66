// x[i] += 1.
__kernel void increment(__global uint* x, uint count) {
  const uint i = get_global_id(0);
  if (i < count) x[i] += 1;
}
