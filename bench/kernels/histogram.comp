#version 450
// Counts values by their lowest byte: 20 of each item in the group's own bins, then those together.
layout(local_size_x = 256) in;
layout(std430, binding = 0) restrict readonly buffer Values { uint values[]; };
layout(std430, binding = 1) restrict buffer Bins { uint bins[]; };
shared uint own[256];

void main() {
  uint local_id = gl_LocalInvocationID.x;
  own[local_id] = 0;
  barrier();
  uint first = gl_WorkGroupID.x * 5120 + local_id;
  for (uint k = 0; k < 20; ++k) atomicAdd(own[values[first + k * 256] & 255], 1);
  barrier();
  atomicAdd(bins[local_id], own[local_id]);
}
