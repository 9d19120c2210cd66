// x = 3x + 1, rounds * 1000 times.
__kernel void churn(__global uint* x, uint rounds, uint count) {
  uint i = get_global_id(0);
  if (i >= count) return;
  uint value = x[i];
  for (uint outer = 0; outer < rounds; ++outer) {
    for (uint inner = 0; inner < 1000; ++inner) value = value * 3 + 1;
  }
  x[i] = value;
}
