// result[i] = i, in groups of exactly 64.
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
struct Constants { count: u32 }
@group(0) @binding(1) var<uniform> constants: Constants;

@compute @workgroup_size(64)
fn fixed_group(@builtin(global_invocation_id) item: vec3<u32>) {
  let i = item.x;
  if (i >= constants.count) { return; }
  result[i] = i;
}
