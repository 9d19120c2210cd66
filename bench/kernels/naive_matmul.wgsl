// c = a * b for matrices of n x n, an element per invocation.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
struct Arguments { n: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

@compute @workgroup_size(16, 16)
fn naive_matmul(@builtin(global_invocation_id) at: vec3<u32>) {
  let n = arguments.n;
  if (at.x >= n || at.y >= n) { return; }
  var sum = 0.0;
  for (var k = 0u; k < n; k++) { sum += a[at.y * n + k] * b[k * n + at.x]; }
  c[at.y * n + at.x] = sum;
}
