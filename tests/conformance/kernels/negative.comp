// A negative constant as a float; a specialisation constant, since compilers fold others.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 3) const int negative = -5;
layout(std430, set = 0, binding = 0) writeonly buffer Buffer0 { float y[]; };
layout(push_constant) uniform Constants { uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < count) y[i] = float(negative);
}
