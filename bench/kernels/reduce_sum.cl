// A sum per group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void reduce_sum(__global const float* restrict x, __global float* restrict sums, uint count) {
  __local float part[256];
  size_t i = get_global_id(0);
  uint local_id = get_local_id(0);
  part[local_id] = i < count ? x[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step_ = 128; step_ != 0; step_ /= 2) {
    if (local_id < step_) part[local_id] += part[local_id + step_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (local_id == 0) sums[get_group_id(0)] = part[0];
}
