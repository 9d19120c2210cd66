#version 450
// Counts values by the rest of a division.
layout(local_size_x = 256) in;
layout(std430, binding = 0) restrict readonly buffer Values { uint values[]; };
layout(std430, binding = 1) restrict buffer Bins { uint bins[]; };
layout(push_constant) uniform Arguments { uint bin_count, count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) atomicAdd(bins[values[i] % bin_count], 1);
}
