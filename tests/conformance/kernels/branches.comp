// A branch with a barrier, and a branch behind it that each item takes by itself.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint first[]; };
layout(std430, set = 0, binding = 1) buffer Buffer1 { uint second[]; };
layout(push_constant) uniform Constants { uint some; uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const bool exists = i < count;
  if (gl_WorkGroupID.x < some) {
    barrier();
    if (exists) first[i] = i + 1;
  }
  if (exists) second[i] = 13;
}
