// Writes the group's id and the place in the group, packed; takes whole groups only.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint result[]; };

void main() {
  const uvec3 group = gl_WorkGroupID, groups = gl_NumWorkGroups;
  const uint linear = (group.z * groups.y + group.y) * groups.x + group.x;
  const uint items = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;
  result[linear * items + gl_LocalInvocationIndex] =
      group.x | (group.y << 8) | (group.z << 16) | (gl_LocalInvocationIndex << 24);
}
