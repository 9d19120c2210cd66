// Sums and products with a zero that stands in the code.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) readonly buffer Buffer0 { float x[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Buffer1 { uint sums[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Buffer2 { uint products[]; };
layout(push_constant) uniform Constants { uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  precise float sum = x[i] + 0.0;
  precise float product = x[i] * 0.0;
  sums[i] = floatBitsToUint(sum);
  products[i] = floatBitsToUint(product);
}
