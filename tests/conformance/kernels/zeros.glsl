// Sums and products with a zero that stands in the code.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
layout(std430, binding = 0) readonly buffer Buffer0 { float x[]; };
layout(std430, binding = 1) writeonly buffer Buffer1 { uint sums[]; };
layout(std430, binding = 2) writeonly buffer Buffer2 { uint products[]; };
layout(std140, binding = 0) uniform Constants { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  precise float sum = x[i] + 0.0;
  precise float product = x[i] * 0.0;
  sums[i] = floatBitsToUint(sum);
  products[i] = floatBitsToUint(product);
}
