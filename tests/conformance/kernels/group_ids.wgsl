// Writes the group's id and the place in the group, packed; takes whole groups only.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@group(0) @binding(0) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(group_x, group_y, group_z)
fn group_ids(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
             @builtin(local_invocation_index) local: u32) {
  let linear = (group.z * groups.y + group.y) * groups.x + group.x;
  let items = group_x * group_y * group_z;
  result[linear * items + local] = group.x | (group.y << 8u) | (group.z << 16u) | (local << 24u);
}
