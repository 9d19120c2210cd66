// Counts values by their lowest byte: 20 of each item in the group's own bins, then those together.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(__global const uint* restrict values, __global uint* restrict bins) {
  __local uint own[256];
  uint local_id = get_local_id(0);
  own[local_id] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint first = get_group_id(0) * 5120 + local_id;
  for (uint k = 0; k < 20; ++k) atomic_inc(&own[values[first + k * 256] & 255]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[local_id], own[local_id]);
}
