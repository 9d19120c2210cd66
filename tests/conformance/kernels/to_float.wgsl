// Unsigned integers as floats.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
struct Constants { count: u32 }
@group(0) @binding(2) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn to_float(@builtin(global_invocation_id) item: vec3<u32>) {
  let i = item.x;
  if (i < constants.count) { y[i] = f32(x[i]); }
}
