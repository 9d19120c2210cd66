// c = a * b for matrices of n x n, in tiles of 16 x 16; n is a multiple of 16.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
struct Arguments { n: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

var<workgroup> tile_a: array<array<f32, 16>, 16>;
var<workgroup> tile_b: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn matmul(@builtin(global_invocation_id) at: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
  let n = arguments.n;
  let column = local.x;
  let row = local.y;
  var sum = 0.0;
  for (var tile = 0u; tile < n; tile += 16u) {
    tile_a[row][column] = a[at.y * n + tile + column];
    tile_b[row][column] = b[(tile + row) * n + at.x];
    workgroupBarrier();
    for (var k = 0u; k < 16u; k++) { sum += tile_a[row][k] * tile_b[k][column]; }
    workgroupBarrier();
  }
  c[at.y * n + at.x] = sum;
}
