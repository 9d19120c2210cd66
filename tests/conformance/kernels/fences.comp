// Fences in a loop that every item leaves at its own time.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) writeonly buffer Buffer0 { uint rounds[]; };
layout(push_constant) uniform Constants { uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  uint done = 0;
  for (uint k = 0; k <= i; ++k) {
    memoryBarrier();
    ++done;
  }
  rounds[i] = done;
}
