#version 450
// Rounds until a point of the plane leaves the circle of radius 2.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) restrict writeonly buffer Rounds { uint rounds[]; };
layout(push_constant) uniform Arguments { uint width, height, most; };

void main() {
  uint x = gl_GlobalInvocationID.x;
  uint y = gl_GlobalInvocationID.y;
  if (x >= width || y >= height) return;
  precise float re = float(x) / float(width) * 3.5 - 2.5;
  precise float im = float(y) / float(height) * 2.0 - 1.0;
  precise float a = 0.0;
  precise float b = 0.0;
  uint round_ = 0;
  while (round_ < most) {
    precise float square = a * a + b * b;
    if (square > 4.0) break;
    precise float next = a * a - b * b + re;
    b = a * b * 2.0 + im;
    a = next;
    ++round_;
  }
  rounds[y * width + x] = round_;
}
