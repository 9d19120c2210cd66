// result[i] = words[i]: a block of 256 bytes of constants.
typedef struct {
  uint words[64];
} Block;

extern "C" __global__ void block(uint* result, Block constants) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 64) result[i] = constants.words[i];
}
