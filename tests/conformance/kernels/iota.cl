// result[i] = start + i.
__kernel void iota(__global uint* result, uint start, uint count) {
  const uint i = get_global_id(0);
  if (i < count) result[i] = start + i;
}
