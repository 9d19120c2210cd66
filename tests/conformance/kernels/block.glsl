// result[i] = words[i]: a block of 256 bytes of constants.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) buffer Buffer0 { uint result[]; };
layout(std140, binding = 0) uniform Constants { uvec4 words[16]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < 64u) result[i] = words[i / 4u][i % 4u];
}
