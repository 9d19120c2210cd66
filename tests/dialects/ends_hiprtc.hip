// Right HIP C++ at which the optimiser of hiprtc 5.2 (LLVM 15, gfx1030) ends the process: found by random kernels.
struct words_t { unsigned int w[4]; };
struct result_t { int r0; float r1; float r2; float r3; };
static __device__ result_t called(float a0) {
  const bool always = a0 >= a0;
  if (always) {
    int i = 0;
    for (; !(i >= 3); i = (int)((unsigned int)i + 1u)) {
    }
  }
  result_t all;
  return all;
}
extern "C" __global__ void __launch_bounds__(8 * 8 * 1) collet_ends(int* __restrict__ marks, const words_t words, unsigned int count0, unsigned int count1, unsigned int length3, unsigned int length7) {
  unsigned int own[16];
  float floats[3];
  if ((blockIdx.x * blockDim.x + threadIdx.x < count0) && (blockIdx.y * blockDim.y + threadIdx.y < count1)) {
    const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    own[15u] = x;
    const unsigned int row = (blockIdx.z * blockDim.z + threadIdx.z) * gridDim.y * blockDim.y + y;
    const unsigned int at = row * gridDim.x * blockDim.x + x;
    if (at % 16u < length7) {
    }
    const float held = floats[row % 2u % 3u];
    const int least = (int)(signed char)(unsigned char)(unsigned char)own[count1 % 2u * 8u + 5u];
    if ((int)(signed char)(unsigned char)(unsigned char)words.w[3] <= least) {
      unsigned int i = 0;
      const unsigned int most = length3 % 70u & 7u;
      for (; !(i >= most); i = i + 1u) {
        const result_t given = called(held);
        if (fabs(ceil(given.r3 * (-0.125f))) < 4096.0f) {
        }
        if (21u < length7) {
          marks[21u] = 40;
        }
      }
    }
  }
}
