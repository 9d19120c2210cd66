#version 450
// Something of everything that reflection measures.
layout(local_size_x = 8, local_size_y = 4) in;

struct Pair {
  uint first;
  vec2 second;
};

layout(push_constant) uniform Block {
  uint n;
  mat3x2 matrix;
  uint last[5];
} block;
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 2) buffer Results { float results[]; };

shared Pair pairs[3];
shared uint word;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) word = block.n;
  if (i < 3) pairs[i] = Pair(numbers[i], block.matrix[i]);
  barrier();
  results[i] = pairs[i % 3].second.x + float(pairs[i % 3].first + word + block.last[i % 5]);
}
