// x[i * stride] = start + i.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint x[]; };
layout(push_constant) uniform Constants { uint stride; uint start; uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  x[i * stride] = start + i;
}
