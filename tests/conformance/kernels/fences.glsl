// Fences in a loop that every item leaves at its own time.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) writeonly buffer Buffer0 { uint rounds[]; };
layout(std140, binding = 0) uniform Constants { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  uint done = 0u;
  for (uint k = 0u; k <= i; ++k) {
    memoryBarrier();
    ++done;
  }
  rounds[i] = done;
}
