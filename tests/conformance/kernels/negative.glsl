// A negative constant as a float.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) writeonly buffer Buffer0 { float y[]; };
layout(std140, binding = 0) uniform Constants { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) y[i] = float(-5);
}
