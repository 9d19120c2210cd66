// result[i] = i, in groups of exactly 64.
#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint result[]; };
layout(push_constant) uniform Constants { uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  result[i] = i;
}
