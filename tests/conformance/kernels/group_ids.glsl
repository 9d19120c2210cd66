// Writes the group's id and the place in the group, packed; takes whole groups only.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) buffer Buffer0 { uint result[]; };

void main() {
  uvec3 group = gl_WorkGroupID, groups = gl_NumWorkGroups;
  uint linear = (group.z * groups.y + group.y) * groups.x + group.x;
  uint items = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;
  result[linear * items + gl_LocalInvocationIndex] =
      group.x | (group.y << 8u) | (group.z << 16u) | (gl_LocalInvocationIndex << 24u);
}
