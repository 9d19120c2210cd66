// Rounds until a point of the plane leaves the circle of radius 2.
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void mandelbrot(__global uint* restrict rounds, uint width, uint height, uint most) {
  uint x = get_global_id(0);
  uint y = get_global_id(1);
  if (x >= width || y >= height) return;
  float re = (float)x / (float)width * 3.5f - 2.5f;
  float im = (float)y / (float)height * 2.0f - 1.0f;
  float a = 0.0f;
  float b = 0.0f;
  uint round_ = 0;
  while (round_ < most && a * a + b * b <= 4.0f) {
    float next = a * a - b * b + re;
    b = a * b * 2.0f + im;
    a = next;
    ++round_;
  }
  rounds[y * width + x] = round_;
}
