// x = 3x + 1, rounds * 1000 times.
@id(0) override group_x: u32 = 1;
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
struct Arguments { rounds: u32, count: u32 }
@group(0) @binding(1) var<uniform> arguments: Arguments;

@compute @workgroup_size(group_x)
fn churn(@builtin(global_invocation_id) item: vec3<u32>) {
  if (item.x >= arguments.count) { return; }
  var value = x[item.x];
  for (var outer = 0u; outer < arguments.rounds; outer++) {
    for (var inner = 0u; inner < 1000u; inner++) { value = value * 3u + 1u; }
  }
  x[item.x] = value;
}
