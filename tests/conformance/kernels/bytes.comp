// Adds 1 to every byte of `words` groups of four, each byte on its own.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint x[]; };
layout(push_constant) uniform Constants { uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  const uint word = x[i];
  uint sum = 0;
  for (uint shift = 0; shift < 32; shift += 8) sum |= (((word >> shift) + 1) & 0xff) << shift;
  x[i] = sum;
}
