// Writes out every scalar that it was given. Small and wide types are taken apart by hand, so that every device can do it.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) buffer Buffer0 { uint result[]; };
layout(std140, binding = 0) uniform Constants { uvec4 words[3]; };

void main() {
  if (gl_GlobalInvocationID.x != 0u) return;
  result[0] = uint(bitfieldExtract(int(words[0][0]), 0, 8));    // i8 at 0
  result[1] = bitfieldExtract(words[0][0], 8, 8);               // u8 at 1
  result[2] = uint(bitfieldExtract(int(words[0][0]), 16, 16));  // i16 at 2
  result[3] = bitfieldExtract(words[0][1], 0, 16);              // u16 at 4
  result[4] = words[0][2];                                      // i32 at 8
  result[5] = words[0][3];                                      // u32 at 12
  result[6] = words[1][0];                                      // i64 at 16
  result[7] = words[1][1];
  result[8] = words[1][2];  // u64 at 24
  result[9] = words[1][3];
  result[10] = words[2][0];  // f32 at 32
  result[11] = words[2][2];  // f64 at 40
  result[12] = words[2][3];
}
