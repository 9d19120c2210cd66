// x[i] = x[i] * factor + i in 64 bits.
__kernel void wide(__global ulong* x, ulong factor, uint count) {
  const uint i = get_global_id(0);
  if (i < count) x[i] = x[i] * factor + i;
}
