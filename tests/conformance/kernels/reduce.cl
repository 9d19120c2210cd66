// sums[group] = the sum of the group's elements; the group size is a power of two.
__kernel void reduce(__global const uint* x, __global uint* sums, uint count, __local uint* partial) {
  const uint i = get_global_id(0), at = get_local_id(0);
  partial[at] = i < count ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (at < half_size) partial[at] += partial[at + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (at == 0) sums[get_group_id(0)] = partial[0];
}
