#version 450
// The mean of a cell and its four neighbours; the border stays as it is.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) restrict readonly buffer From { float from[]; };
layout(std430, binding = 1) restrict writeonly buffer To { float to[]; };
layout(push_constant) uniform Arguments { uint width, height; };

void main() {
  uint x = gl_GlobalInvocationID.x;
  uint y = gl_GlobalInvocationID.y;
  if (x >= width || y >= height) return;
  uint at = y * width + x;
  float cell = from[at];
  if (x > 0 && x + 1 < width && y > 0 && y + 1 < height)
    cell = (cell + from[at - 1] + from[at + 1] + from[at - width] + from[at + width]) * 0.2;
  to[at] = cell;
}
