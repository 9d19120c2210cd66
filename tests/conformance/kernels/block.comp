// result[i] = words[i]: a block of 256 bytes of constants.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint result[]; };
layout(push_constant) uniform Constants { uint words[64]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < 64) result[i] = words[i];
}
