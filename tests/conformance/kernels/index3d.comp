// Writes its own index, packed, at its own place.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { uint result[]; };
layout(push_constant) uniform Constants { uint width; uint height; uint depth; };

void main() {
  const uvec3 at = gl_GlobalInvocationID;
  if (at.x >= width || at.y >= height || at.z >= depth) return;
  result[(at.z * height + at.y) * width + at.x] = at.x | (at.y << 10) | (at.z << 20);
}
