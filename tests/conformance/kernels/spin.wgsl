// Takes a while: `rounds` steps of a generator per item; lavapipe 22 cuts loops at 65,535.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
struct Constants { rounds: u32, count: u32 }
@group(0) @binding(1) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn spin(@builtin(global_invocation_id) item: vec3<u32>) {
  let i = item.x;
  if (i >= constants.count) { return; }
  var value = x[i];
  for (var round = 0u; round < constants.rounds; round++) { value = value * 1664525u + 1013904223u; }
  x[i] = value;
}
