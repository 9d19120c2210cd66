// y[i] = x[i] + amount; x and y may be the same buffer.
__kernel void add(__global const uint* x, __global uint* y, uint amount, uint count) {
  const uint i = get_global_id(0);
  if (i < count) y[i] = x[i] + amount;
}
