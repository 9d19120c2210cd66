// y[i] = a * x[i] + y[i].
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) readonly buffer Buffer0 { float x[]; };
layout(std430, set = 0, binding = 1) buffer Buffer1 { float y[]; };
layout(push_constant) uniform Constants { float a; uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  y[i] = a * x[i] + y[i];
}
