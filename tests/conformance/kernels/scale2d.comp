// image[y * pitch + x] *= factor.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) buffer Buffer0 { float image[]; };
layout(push_constant) uniform Constants { uint pitch; float factor; uint width; uint height; };

void main() {
  const uvec2 at = gl_GlobalInvocationID.xy;
  if (at.x >= width || at.y >= height) return;
  image[at.y * pitch + at.x] *= factor;
}
