// Unsigned integers as floats.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) readonly buffer Buffer0 { uint x[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Buffer1 { float y[]; };
layout(push_constant) uniform Constants { uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < count) y[i] = float(x[i]);
}
