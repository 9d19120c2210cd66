// Writes out every scalar that it was given. Small and wide types are taken apart by hand, so that every device can do it.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint result[]; };
layout(push_constant) uniform Constants { uint words[12]; };

void main() {
  if (gl_GlobalInvocationID.x != 0) return;
  result[0] = uint(bitfieldExtract(int(words[0]), 0, 8));    // i8 at 0
  result[1] = bitfieldExtract(words[0], 8, 8);               // u8 at 1
  result[2] = uint(bitfieldExtract(int(words[0]), 16, 16));  // i16 at 2
  result[3] = bitfieldExtract(words[1], 0, 16);              // u16 at 4
  result[4] = words[2];                                      // i32 at 8
  result[5] = words[3];                                      // u32 at 12
  result[6] = words[4];                                      // i64 at 16
  result[7] = words[5];
  result[8] = words[6];  // u64 at 24
  result[9] = words[7];
  result[10] = words[8];  // f32 at 32
  result[11] = words[10];  // f64 at 40
  result[12] = words[11];
}
