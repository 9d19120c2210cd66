// A branch with a barrier, and a branch behind it that each item takes by itself.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@group(0) @binding(0) var<storage, read_write> first: array<u32>;
@group(0) @binding(1) var<storage, read_write> second: array<u32>;
struct Constants { some: u32, count: u32 }
@group(0) @binding(2) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn branches(@builtin(global_invocation_id) item: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
  let i = item.x;
  let exists = i < constants.count;
  if (group.x < constants.some) {
    workgroupBarrier();
    if (exists) { first[i] = i + 1u; }
  }
  if (exists) { second[i] = 13u; }
}
