#version 450
// Made into canary_mix.inc by: glslangValidator -V --target-env vulkan1.1 -x -o canary_mix.inc canary_mix.comp
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer From { uint from[]; };
layout(std430, binding = 1) buffer To { uint to[]; };
layout(push_constant) uniform Arguments { uint seed; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  uint x = from[i] + seed * i;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x = (x << 7) | (x >> 25);
  to[i] = x < 0x80000000u ? x ^ i : x - seed;
}
