// result[i] = i, in groups of exactly 64.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint result[]; };
layout(std140, binding = 0) uniform Constants { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  result[i] = i;
}
