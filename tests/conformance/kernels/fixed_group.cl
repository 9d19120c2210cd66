// result[i] = i, in groups of exactly 64.
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fixed_group(__global uint* result, uint count) {
  const uint i = get_global_id(0);
  if (i < count) result[i] = i;
}
