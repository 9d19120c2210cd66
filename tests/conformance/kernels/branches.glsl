// A branch with a barrier, and a branch behind it that each item takes by itself.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) buffer Buffer0 { uint first[]; };
layout(std430, binding = 1) buffer Buffer1 { uint second[]; };
layout(std140, binding = 0) uniform Constants { uint some; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  bool exists = i < count;
  if (gl_WorkGroupID.x < some) {
    barrier();
    if (exists) first[i] = i + 1u;
  }
  if (exists) second[i] = 13u;
}
