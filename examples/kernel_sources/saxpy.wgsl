// y[i] = a * x[i] + y[i].
@id(0) override group_x: u32 = 1;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
struct Arguments { a: f32, count: u32 }
@group(0) @binding(2) var<uniform> arguments: Arguments;

@compute @workgroup_size(group_x)
fn saxpy(@builtin(global_invocation_id) item: vec3<u32>) {
  if (item.x < arguments.count) { y[item.x] = arguments.a * x[item.x] + y[item.x]; }
}
