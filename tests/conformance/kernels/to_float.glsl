// Unsigned integers as floats.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) readonly buffer Buffer0 { uint x[]; };
layout(std430, binding = 1) writeonly buffer Buffer1 { float y[]; };
layout(std140, binding = 0) uniform Constants { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) y[i] = float(x[i]);
}
