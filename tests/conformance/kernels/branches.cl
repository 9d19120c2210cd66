__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void branches(__global uint* first, __global uint* second, uint some, uint count) {
  const uint i = (uint)get_global_id(0);
  const bool exists = i < count;
  if (get_group_id(0) < some) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (exists) first[i] = i + 1;
  }
  if (exists) second[i] = 13;
}
