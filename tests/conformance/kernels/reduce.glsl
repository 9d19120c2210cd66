// sums[group] = the sum of the group's elements; the group size is a power of two.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) readonly buffer Buffer0 { uint x[]; };
layout(std430, binding = 1) writeonly buffer Buffer1 { uint sums[]; };
layout(std140, binding = 0) uniform Constants { uint count; };
shared uint parts[COLLET_SHARED_BYTES / 4];

void main() {
  uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;
  parts[local] = i < count ? x[i] : 0u;
  barrier();
  for (uint half_size = gl_WorkGroupSize.x / 2u; half_size > 0u; half_size /= 2u) {
    if (local < half_size) parts[local] += parts[local + half_size];
    barrier();
  }
  if (local == 0u) sums[gl_WorkGroupID.x] = parts[0];
}
