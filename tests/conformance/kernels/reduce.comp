// sums[group] = the sum of the group's elements; the group size is a power of two.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) readonly buffer Buffer0 { uint x[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Buffer1 { uint sums[]; };
layout(push_constant) uniform Constants { uint count; };
layout(constant_id = 3) const uint shared_bytes = 4;
shared uint partial[shared_bytes / 4];

void main() {
  const uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;
  partial[local] = i < count ? x[i] : 0;
  barrier();
  for (uint half_size = gl_WorkGroupSize.x / 2; half_size > 0; half_size /= 2) {
    if (local < half_size) partial[local] += partial[local + half_size];
    barrier();
  }
  if (local == 0) sums[gl_WorkGroupID.x] = partial[0];
}
