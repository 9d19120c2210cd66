// Adds 1 to every byte of `words` groups of four, each byte on its own.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
struct Constants { count: u32 }
@group(0) @binding(1) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn bytes(@builtin(global_invocation_id) item: vec3<u32>) {
  let i = item.x;
  if (i >= constants.count) { return; }
  let word = x[i];
  var sum = 0u;
  for (var shift = 0u; shift < 32u; shift += 8u) { sum |= (((word >> shift) + 1u) & 0xffu) << shift; }
  x[i] = sum;
}
