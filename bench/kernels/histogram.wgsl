// Counts values by their lowest byte: 20 of each item in the group's own bins, then those together.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;

var<workgroup> own: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn histogram(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
  atomicStore(&own[local.x], 0u);
  workgroupBarrier();
  let first = group.x * 5120u + local.x;
  for (var k = 0u; k < 20u; k++) { atomicAdd(&own[values[first + k * 256u] & 255u], 1u); }
  workgroupBarrier();
  atomicAdd(&bins[local.x], atomicLoad(&own[local.x]));
}
