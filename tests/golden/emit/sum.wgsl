@group(0) @binding(0) var<storage, read> m0_x: array<u32>;
@group(0) @binding(1) var<storage, read_write> m1_out: array<atomic<u32>>;
var<workgroup> m2_tile: array<u32, 64>;
@compute @workgroup_size(64, 1, 1)
fn sum(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_id) local_id: vec3<u32>) {
  let v0: u32 = local_id.x;
  let v1: u32 = global_id.x;
  let v3: bool = v1 < arrayLength(&m0_x);
  let v6: u32 = m0_x[select(0u, v1, v3)];
  m2_tile[v0] = select(0u, v6, v3);
  storageBarrier(); workgroupBarrier();
  if (v0 == 0u) {
    var v16: u32 = 0u;
    v16 = 0u;
    var v18: u32 = 0u;
    for (; !(v16 >= 64u); v16 = v16 + 1u) {
      let v20: u32 = v16;
      v18 = v18 + m2_tile[v20];
    }
    let v32: u32 = atomicAdd(&m1_out[0u], v18);
  }
}
