// A negative constant as a float; a specialisation constant, since compilers fold others.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
override minus_five: i32 = -5;
@group(0) @binding(0) var<storage, read_write> y: array<f32>;
struct Constants { count: u32 }
@group(0) @binding(1) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn negative(@builtin(global_invocation_id) item: vec3<u32>) {
  let i = item.x;
  if (i < constants.count) { y[i] = f32(minus_five); }
}
