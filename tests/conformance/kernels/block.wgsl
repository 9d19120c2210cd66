// result[i] = words[i]: a block of 256 bytes of constants.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
struct Constants { words: array<vec4<u32>, 16> }
@group(0) @binding(1) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn block(@builtin(global_invocation_id) item: vec3<u32>) {
  let i = item.x;
  if (i < 64u) { result[i] = constants.words[i / 4u][i % 4u]; }
}
