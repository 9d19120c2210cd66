// y = a * x + y.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
struct Arguments { a: f32, count: u32 }
@group(0) @binding(2) var<uniform> arguments: Arguments;

@compute @workgroup_size(256)
fn saxpy(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arguments.count) { return; }
  y[id.x] = arguments.a * x[id.x] + y[id.x];
}
