// Writes its own index, packed, at its own place.
__kernel void index3d(__global uint* result, uint width, uint height, uint depth) {
  const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < width && y < height && z < depth) result[(z * height + y) * width + x] = x | (y << 10) | (z << 20);
}
