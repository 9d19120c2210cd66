// sums[group] = the sum of the group's elements; the group size is a power of two.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@id(3) override shared_bytes: u32 = 4;
var<workgroup> partial: array<u32, shared_bytes / 4u>;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
struct Constants { count: u32 }
@group(0) @binding(2) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn reduce(@builtin(global_invocation_id) item: vec3<u32>, @builtin(local_invocation_id) place: vec3<u32>,
          @builtin(workgroup_id) group: vec3<u32>) {
  let local = place.x;
  partial[local] = 0u;
  if (item.x < constants.count) { partial[local] = x[item.x]; }
  workgroupBarrier();
  for (var half_size = group_x / 2u; half_size > 0u; half_size /= 2u) {
    if (local < half_size) { partial[local] += partial[local + half_size]; }
    workgroupBarrier();
  }
  if (local == 0u) { sums[group.x] = partial[0]; }
}
