// x[i * stride] = start + i.
__kernel void strided(__global uint* x, uint stride, uint start, uint count) {
  const uint i = get_global_id(0);
  if (i < count) x[i * stride] = start + i;
}
