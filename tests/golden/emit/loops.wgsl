struct Constants { w: array<vec4<u32>, 1> }
@group(0) @binding(1) var<uniform> p0_constants: Constants;
@group(0) @binding(0) var<storage, read_write> m0_x: array<u32>;
@compute @workgroup_size(64, 1, 1)
fn loops(@builtin(global_invocation_id) global_id: vec3<u32>) {
  var v0: u32 = 0u;
  v0 = 0u;
  let v3: u32 = p0_constants.w[0][0];
  let v4: u32 = arrayLength(&m0_x);
  let v5: u32 = global_id.x;
  var v7: u32 = 0u;
  for (; !(v0 >= v3); v0 = v0 + 1u) {
    let v10: u32 = v0;
    let v14: bool = v10 < v4;
    let v17: u32 = m0_x[select(0u, v10, v14)];
    let v19: u32 = select(0u, v17, v14);
    if ((v19 < v5) && (v19 > 3u)) {
      continue;
    }
    v7 = v19;
  }
  var v29: u32 = 0u;
  v29 = 0u;
  var v31: bool = false;
  v31 = 0u < v3;
  loop {
    if (!v31) {
      break;
    }
    let v39: u32 = v29;
    let v40: bool = v39 < v5;
    if (v40) {
      if (v39 < v4) {
        m0_x[v39] = v39;
      }
    }
    if (v40) {
      v7 = v39;
    }
    let v47: u32 = v29;
    v31 = v3 - v47 > 3u;
    v29 = v47 + 3u;
  }
  for (; v7 < v3; ) {
    let v54: u32 = v7;
    v7 = v54 + 1u;
  }
  let v62: u32 = v7;
  if (v5 < v4) {
    m0_x[v5] = v62;
  }
}
