// Writes the group's id and the place in the group, packed; takes whole groups only.
extern "C" __global__ void group_ids(uint* result) {
  const uint x = blockIdx.x, y = blockIdx.y, z = blockIdx.z;
  const uint group = (z * gridDim.y + y) * gridDim.x + x;
  const uint items = blockDim.x * blockDim.y * blockDim.z;
  const uint local_index =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  result[group * items + local_index] = x | (y << 8) | (z << 16) | (local_index << 24);
}
