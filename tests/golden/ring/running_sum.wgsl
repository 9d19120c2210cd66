struct Constants { w: array<vec4<u32>, 1> }
@group(0) @binding(4) var<uniform> p0_constants: Constants;
@group(0) @binding(0) var<storage, read_write> m0_control: array<u32>;
@group(0) @binding(1) var<storage, read> m1_messages: array<u32>;
@group(0) @binding(2) var<storage, read_write> m2_replies: array<u32>;
@group(0) @binding(3) var<storage, read_write> m3_own0: array<u32>;
@compute @workgroup_size(1, 1, 1)
fn running_sum() {
  var v0: u32 = 0u;
  v0 = p0_constants.w[0][0];
  var v3: u32 = 0u;
  v3 = p0_constants.w[0][1];
  let v6: u32 = p0_constants.w[0][2];
  let v7: u32 = arrayLength(&m0_control);
  let v8: u32 = arrayLength(&m1_messages);
  let v9: u32 = arrayLength(&m2_replies);
  for (; v3 != 0u; ) {
    var v17: u32 = 0u;
    let v27: u32 = 32u + (v0 & ((1u << bitcast<u32>(v6 & 31u)) - 1u));
    let v28: bool = v27 < v7;
    let v31: u32 = m0_control[select(0u, v27, v28)];
    v17 = select(0u, v31, v28);
    var v35: u32 = 0u;
    let v37: u32 = v17;
    let v38: u32 = v0;
    let v45: u32 = v38 & ((1u << bitcast<u32>(v6 & 31u)) - 1u);
    v35 = 0u;
    var v47: u32 = 0u;
    v47 = 0u;
    let v53: bool = v45 < v8;
    let v56: u32 = m1_messages[select(0u, v45, v53)];
    m3_own0[0u] = m3_own0[0u] + select(0u, v56, v53);
    let v63: u32 = m3_own0[0u];
    if (v45 < v9) {
      m2_replies[v45] = v63;
    }
    v35 = 1u;
    let v78: u32 = ((v38 >> bitcast<u32>(v6 & 31u)) << bitcast<u32>(4u)) + 16u;
    let v81: bool = v47 != 0u;
    let v88: u32 = select(8u, 4u, v35 != 0u);
    let v90: u32 = v37 | select(v88, 12u, v81);
    let v91: u32 = select(v90, v78, (v37 & 3u) == 1u);
    if (v28) {
      m0_control[v27] = v91;
    }
    v0 = v0 + 1u;
    v3 = v3 - 1u;
    if (v81) {
      let v104: bool = 17u < v7;
      let v107: u32 = m0_control[select(0u, 17u, v104)];
      let v111: u32 = select(0u, v107, v104) + 1u;
      if (v104) {
        m0_control[17u] = v111;
      }
      break;
    }
  }
  let v117: u32 = v0;
  if (16u < v7) {
    m0_control[16u] = v117;
  }
}
