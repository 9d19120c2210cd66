// Buffers and constants in turns, the count among them.
__kernel void interleaved(uint a, __global uint* result, uint b, __global const uint* x, uint count, uint c) {
  const uint i = get_global_id(0);
  if (i < count) result[i] = a + 10 * b + 100 * c + 1000 * x[i];
}
