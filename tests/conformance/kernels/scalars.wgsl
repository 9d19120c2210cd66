// Writes out every scalar that it was given. Small and wide types are taken apart by hand, so that every device can do it.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
struct Constants { words: array<vec4<u32>, 3> }
@group(0) @binding(1) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn scalars(@builtin(global_invocation_id) item: vec3<u32>) {
  if (item.x != 0u) { return; }
  let w = constants.words;
  result[0] = u32(extractBits(i32(w[0][0]), 0u, 8u));    // i8 at 0
  result[1] = extractBits(w[0][0], 8u, 8u);              // u8 at 1
  result[2] = u32(extractBits(i32(w[0][0]), 16u, 16u));  // i16 at 2
  result[3] = extractBits(w[0][1], 0u, 16u);             // u16 at 4
  result[4] = w[0][2];                                   // i32 at 8
  result[5] = w[0][3];                                   // u32 at 12
  result[6] = w[1][0];                                   // i64 at 16
  result[7] = w[1][1];
  result[8] = w[1][2];  // u64 at 24
  result[9] = w[1][3];
  result[10] = w[2][0];  // f32 at 32
  result[11] = w[2][2];  // f64 at 40
  result[12] = w[2][3];
}
