// Writes the group's id and the place in the group, packed; takes whole groups only.
__kernel void group_ids(__global uint* result) {
  const uint x = get_group_id(0), y = get_group_id(1), z = get_group_id(2);
  const uint group = (z * get_num_groups(1) + y) * get_num_groups(0) + x;
  const uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
  const uint local_index =
      (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
  result[group * items + local_index] = x | (y << 8) | (z << 16) | (local_index << 24);
}
