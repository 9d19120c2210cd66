// bins[x[i] % 16] += 1, from all items at once.
__kernel void histogram(__global const uint* x, volatile __global uint* bins, uint count) {
  const uint i = get_global_id(0);
  if (i < count) atomic_inc(&bins[x[i] % 16]);
}
