// The mean of a cell and its four neighbours; the border stays as it is.
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void stencil(__global const float* restrict from, __global float* restrict to, uint width, uint height) {
  uint x = get_global_id(0);
  uint y = get_global_id(1);
  if (x >= width || y >= height) return;
  uint at = y * width + x;
  float cell = from[at];
  if (x > 0 && x + 1 < width && y > 0 && y + 1 < height)
    cell = (cell + from[at - 1] + from[at + 1] + from[at - width] + from[at + width]) * 0.2f;
  to[at] = cell;
}
