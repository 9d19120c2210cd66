struct Constants { w: array<vec4<u32>, 1> }
@group(0) @binding(1) var<uniform> p0_constants: Constants;
@group(0) @binding(0) var<storage, read_write> m0_p: array<atomic<u32>>;
@compute @workgroup_size(32, 1, 1)
fn particles(@builtin(global_invocation_id) global_id: vec3<u32>) {
  let v0: u32 = global_id.x;
  let v4: bool = v0 < arrayLength(&m0_p) / 3u;
  let v6: u32 = select(0u, v0, v4);
  let v9: u32 = atomicLoad(&m0_p[v6 * 3u]);
  let v14: u32 = atomicLoad(&m0_p[v6 * 3u + 1u]);
  let v21: u32 = atomicLoad(&m0_p[select(0u, v0, v4) * 3u + 2u]);
  let v28: f32 = bitcast<f32>(p0_constants.w[0][1]);
  let v29: f32 = bitcast<f32>(select(0u, bitcast<u32>(bitcast<f32>(v9)), v4)) * v28;
  let v34: f32 = bitcast<f32>(select(0u, bitcast<u32>(bitcast<f32>(v14)), v4)) * v28;
  if (v4) {
    atomicStore(&m0_p[v0 * 3u], bitcast<u32>(v29));
    atomicStore(&m0_p[v0 * 3u + 1u], bitcast<u32>(v34));
  }
  let v59: i32 = i32(select(0.0f, v28, (v28 >= (-2147483648.0f)) & (v28 < 2147483648.0f)));
  let v61: i32 = select(select(v59, (-2147483647i - 1), v28 < (-2147483648.0f)), 2147483647i, v28 >= 2147483648.0f);
  let v63: u32 = v21 & 65535u;
  let v66: i32 = i32(select(0u, v63, v4));
  let v78: u32 = u32(v61 / select(v66, 1i, (v66 == 0i) | ((v61 == (-2147483647i - 1)) & (v66 == (0i - 1)))));
  let v80: u32 = v78 & 65535u;
  if (v4) {
    let v85: u32 = v0 * 3u + 2u;
    let v86: u32 = atomicLoad(&m0_p[v85]);
    var v87: u32 = 0u;
    v87 = v86;
    loop {
      let v91: u32 = v87;
      let v93: u32 = (v91 & 4294901760u) | v80;
      var v94: u32;
      loop {
        let found = atomicCompareExchangeWeak(&m0_p[v85], v91, v93);
        v94 = found.old_value;
        if (found.exchanged || v94 != v91) { break; }
      }
      if (v94 == v91) {
        break;
      }
      v87 = v94;
    }
  }
}
