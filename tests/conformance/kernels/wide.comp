// x[i] = x[i] * factor + i in 64 bits.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint64_t x[]; };
layout(push_constant) uniform Constants { uint64_t factor; uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  x[i] = x[i] * factor + uint64_t(i);
}
