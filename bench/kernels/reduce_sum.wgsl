// A sum per group.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
struct Arguments { count: u32 }
@group(0) @binding(2) var<uniform> arguments: Arguments;

var<workgroup> part: array<f32, 256>;

@compute @workgroup_size(256)
fn reduce_sum(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>,
              @builtin(workgroup_id) group: vec3<u32>) {
  part[local.x] = 0.0;
  if (id.x < arguments.count) { part[local.x] = x[id.x]; }
  workgroupBarrier();
  for (var step = 128u; step != 0u; step /= 2u) {
    if (local.x < step) { part[local.x] += part[local.x + step]; }
    workgroupBarrier();
  }
  if (local.x == 0u) { sums[group.x] = part[0]; }
}
