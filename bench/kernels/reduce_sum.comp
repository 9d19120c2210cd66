#version 450
// A sum per group.
layout(local_size_x = 256) in;
layout(std430, binding = 0) restrict readonly buffer X { float x[]; };
layout(std430, binding = 1) restrict writeonly buffer Sums { float sums[]; };
layout(push_constant) uniform Arguments { uint count; };

shared float part[256];

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint local = gl_LocalInvocationID.x;
  part[local] = i < count ? x[i] : 0.0;
  barrier();
  for (uint step_ = 128; step_ != 0; step_ /= 2) {
    if (local < step_) part[local] += part[local + step_];
    barrier();
  }
  if (local == 0) sums[gl_WorkGroupID.x] = part[0];
}
