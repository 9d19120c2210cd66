// Compile with --fmad=false.
typedef unsigned long long collet_word;
template <class T> __device__ T collet_atomicExch(T* p, T v) { return (T)atomicExch((collet_word*)p, (collet_word)v); }
template <class T> __device__ T collet_atomicAdd(T* p, T v) { return (T)atomicAdd((collet_word*)p, (collet_word)v); }
template <class T> __device__ T collet_atomicAnd(T* p, T v) { return (T)atomicAnd((collet_word*)p, (collet_word)v); }
template <class T> __device__ T collet_atomicOr(T* p, T v) { return (T)atomicOr((collet_word*)p, (collet_word)v); }
template <class T> __device__ T collet_atomicXor(T* p, T v) { return (T)atomicXor((collet_word*)p, (collet_word)v); }
template <class T> __device__ T collet_atomicCAS(T* p, T a, T b) {
  return (T)atomicCAS((collet_word*)p, (collet_word)a, (collet_word)b);
}
template <class T> __device__ T collet_atomicMin(T* p, T v) {
  T last = *(volatile T*)p;
  for (;;) {
    const T seen = collet_atomicCAS(p, last, v < last ? v : last);
    if (seen == last) return last;
    last = seen;
  }
}
template <class T> __device__ T collet_atomicMax(T* p, T v) {
  T last = *(volatile T*)p;
  for (;;) {
    const T seen = collet_atomicCAS(p, last, v > last ? v : last);
    if (seen == last) return last;
    last = seen;
  }
}
#define COLLET_SHUFFLE(v, lane) __shfl_sync(__activemask(), v, lane)
#define COLLET_SHUFFLE_XOR(v, lanes) __shfl_xor_sync(__activemask(), v, lanes)
#define COLLET_SHUFFLE_UP(v, lanes) __shfl_up_sync(__activemask(), v, lanes)
#define COLLET_ANY(v) __any_sync(__activemask(), v)
#define COLLET_ALL(v) __all_sync(__activemask(), v)
__device__ inline unsigned int collet_item() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline int collet_lanes() {
  const unsigned int all = blockDim.x * blockDim.y * blockDim.z;
  const unsigned int left = all - collet_item() / warpSize * warpSize;
  return left < (unsigned int)warpSize ? (int)left : warpSize;
}
struct collet_sum { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
struct collet_least { template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
struct collet_most { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct collet_and { template <class T> __device__ T operator()(T a, T b) const { return a & b; } };
struct collet_or { template <class T> __device__ T operator()(T a, T b) const { return a | b; } };
template <class T, class F> __device__ T collet_reduce(T value, F together) {
  const int lanes = collet_lanes();
  if (lanes == warpSize) {
    for (int step = warpSize / 2; step != 0; step /= 2)
      value = together(value, COLLET_SHUFFLE_XOR(value, step));
    return value;
  }
  T all = COLLET_SHUFFLE(value, 0);
  for (int lane = 1; lane < lanes; ++lane) all = together(all, COLLET_SHUFFLE(value, lane));
  return all;
}
template <class T> __device__ T collet_scan(T value) {
  const int lane = (int)(collet_item() % warpSize);
  for (int step = 1; step < warpSize; step *= 2) {
    const T below = COLLET_SHUFFLE_UP(value, step);
    if (lane >= step) value += below;
  }
  return value;
}
extern "C" __global__ void __launch_bounds__(32 * 1 * 1) together(int* __restrict__ m0_x, unsigned long long* __restrict__ m1_n, unsigned int p0_length0, unsigned int p1_length1) {
  const unsigned int v0 = blockIdx.x * blockDim.x + threadIdx.x;
  const bool v2 = v0 < p0_length0;
  const int v5 = m0_x[v2 ? v0 : 0u];
  const int v8 = collet_reduce(v2 ? v5 : 0, collet_sum{});
  const int v9 = collet_reduce(v8, collet_least{});
  const int v10 = collet_reduce(v9, collet_most{});
  const int v11 = collet_scan(v10);
  const int v12 = collet_reduce(v11, collet_and{});
  const int v13 = collet_reduce(v12, collet_or{});
  const int v15 = COLLET_SHUFFLE(v13, (unsigned int)warpSize);
  const int v16 = COLLET_SHUFFLE(v15, 0);
  const bool v20 = COLLET_ANY(collet_item() % warpSize < collet_item() / warpSize) != 0;
  const bool v21 = COLLET_ALL(v20) != 0;
  const float v23 = collet_reduce((float)v16, collet_least{});
  const unsigned int v37 = (unsigned int)(((v23 >= 0.0f) & (v23 < 4294967296.0f)) ? v23 : 0.0f);
  const unsigned int v40 = collet_reduce((v23 >= 4294967296.0f) ? 4294967295u : ((v23 < 0.0f) ? 0u : v37), collet_most{});
  const bool v42 = v40 < p1_length1;
  const unsigned long long v45 = m1_n[v42 ? v40 : 0u];
  const unsigned long long v47 = v42 ? v45 : 0ULL;
  const unsigned long long v48 = collet_reduce(v47, collet_sum{});
  if (!v21) {
    const bool v51 = v0 < p1_length1;
    unsigned long long v52 = 0;
    if (v51) {
      const unsigned long long v54 = collet_atomicMax(((unsigned long long*)&m1_n[v0]), v48);
      v52 = v54;
    }
    const unsigned long long v56 = v52;
    if (v51) {
      const unsigned long long v58 = collet_atomicCAS(((unsigned long long*)&m1_n[v0]), v56, v47);
    }
  }
}
