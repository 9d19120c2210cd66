// Counts values by the rest of a division.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(__global const uint* restrict values, __global uint* restrict bins, uint bin_count, uint count) {
  size_t i = get_global_id(0);
  if (i < count) atomic_inc(&bins[values[i] % bin_count]);
}
