// image[y * pitch + x] *= factor.
__kernel void scale2d(__global float* image, uint pitch, float factor, uint width, uint height) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) image[y * pitch + x] *= factor;
}
