struct Constants { w: array<vec4<u32>, 1> }
@group(0) @binding(2) var<uniform> p0_constants: Constants;
@group(0) @binding(0) var<storage, read> m0_x: array<f32>;
@group(0) @binding(1) var<storage, read_write> m1_y: array<f32>;
@compute @workgroup_size(64, 1, 1)
fn saxpy(@builtin(global_invocation_id) global_id: vec3<u32>) {
  let v0: u32 = global_id.x;
  let v3: u32 = arrayLength(&m1_y);
  let v4: u32 = arrayLength(&m0_x);
  if (v0 < p0_constants.w[0][1]) {
    let v6: bool = v0 < v3;
    let v9: bool = v0 < v4;
    let v13: u32 = bitcast<u32>(m0_x[select(0u, v0, v9)]);
    let v21: u32 = bitcast<u32>(m1_y[select(0u, v0, v6)]);
    let v25: f32 = bitcast<f32>(p0_constants.w[0][0]) * bitcast<f32>(select(0u, v13, v9)) + bitcast<f32>(select(0u, v21, v6));
    if (v6) {
      m1_y[v0] = v25;
    }
  }
}
