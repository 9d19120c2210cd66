// y[i] = a * x[i] + y[i].
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) readonly buffer Buffer0 { float x[]; };
layout(std430, binding = 1) buffer Buffer1 { float y[]; };
layout(std140, binding = 0) uniform Constants { float a; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  y[i] = a * x[i] + y[i];
}
