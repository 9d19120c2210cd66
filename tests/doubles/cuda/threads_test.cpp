// What threads do to each other: shared memory, barriers, warps, atomics, messages between blocks.

#include <algorithm>
#include <numeric>

#include "double_fixture.hpp"

namespace collet::cuda_double {
namespace {

class Threads : public CudaDouble {};

TEST_F(Threads, SumsThroughSharedMemoryAndBarriers) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(const float* x, float* sums, int n) {
    __shared__ float s[256]; int t = threadIdx.x, i = blockIdx.x * 256 + t; s[t] = i < n ? x[i] : 0;
      __syncthreads();
    for (int step = 128; step > 0; step /= 2) { if (t < step) s[t] += s[t + step]; __syncthreads(); }
    if (t == 0) sums[blockIdx.x] = s[0]; })");
  std::vector<float> x(5000);
  std::iota(x.begin(), x.end(), 1.0F);
  const CuDevicePtr sums = allocate(20 * sizeof(float));
  run(kernel, 20, 256, upload(x), sums, 5000);
  const auto all = download<float>(sums, 20);
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), 0.0), 5000.0 * 5001 / 2);
}

TEST_F(Threads, ThatEndedAreNotWaitedFor) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(int* out) {
    int t = threadIdx.x; if (t % 3 == 0) return; __syncthreads();
    out[t] = __syncthreads_count(t & 1) + 1000 * __syncthreads_or(t == 50) + 10000 * __syncthreads_and(t == 50); })");
  const CuDevicePtr out = upload(std::vector<int>(100, 0));
  run(kernel, 1, 100, out);
  const auto got = download<int>(out, 100);
  for (int t = 0; t < 100; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], t % 3 == 0 ? 0 : 1033);
}

TEST_F(Threads, NamedBarriersOfSomeWarps) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(int* out) {
    __shared__ volatile int box; int t = threadIdx.x;
    if (t < 64) { if (t == 0) box = 7; asm volatile("bar.sync 1, 96;"); }
    else if (t < 96) { asm volatile("bar.sync 1, 96;"); out[t] = box; } })");
  const CuDevicePtr out = upload(std::vector<int>(128, 0));
  run(kernel, 1, 128, out);
  EXPECT_EQ(download<int>(out, 128)[80], 7);
}

TEST_F(Threads, ShuffleInAWarpThatIsNotFull) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(int* out) {
    int t = threadIdx.x; unsigned m = __activemask();
    out[t] = __shfl_sync(m, t * 10, 3); out[t + 40] = __shfl_up_sync(m, t, 2);
      out[t + 80] = __shfl_down_sync(m, t, 1, 8);
    out[t + 120] = __shfl_xor_sync(m, t, 5, 16); out[t + 160] = m; out[t + 200] = __ballot_sync(m, t & 1);
    out[t + 240] = __match_any_sync(m, t / 3); int all; __match_all_sync(m, t / 32, &all);
      out[t + 280] = all; })");
  const CuDevicePtr out = allocate(320 * sizeof(int));
  run(kernel, 1, 40, out);
  const auto got = download<int>(out, 320);
  for (int t = 0; t < 40; ++t) {
    const int lane = t % 32, warp = t - lane, lanes = t < 32 ? 32 : 8;
    const auto at = [&](int row) { return got[static_cast<std::size_t>(row * 40 + t)]; };
    const auto mask = static_cast<int>(lanes == 32 ? ~0U : 0xffU);
    EXPECT_EQ(at(0), (warp + 3) * 10);
    EXPECT_EQ(at(1), lane < 2 ? t : t - 2);
    EXPECT_EQ(at(2), lane % 8 == 7 ? t : t + 1);
    if (lanes == 32) {
      EXPECT_EQ(at(3), warp + (lane ^ 5));
    }
    EXPECT_EQ(at(4), mask);
    EXPECT_EQ(at(5), static_cast<int>(0xaaaaaaaaU) & mask);
    int same = 0;
    for (int other = 0; other < lanes; ++other) same |= ((warp + other) / 3 == t / 3 ? 1 : 0) << other;
    EXPECT_EQ(at(6), same);
    EXPECT_EQ(at(7), 1);
  }
}

TEST_F(Threads, VotesInBranchesAndAfterThem) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(int* out) {
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i <= t % 5; ++i) sum += i;
    if (t % 3 == 0) { out[t] = __activemask(); sum += __any_sync(__activemask(), t == 9); }
    else { out[t] = __activemask(); sum += 100 * __all_sync(__activemask(), t % 3 != 0); }
    out[t + 64] = __activemask(); out[t + 128] = sum; })");
  const CuDevicePtr out = allocate(192 * sizeof(int));
  run(kernel, 1, 64, out);
  const auto got = download<int>(out, 192);
  for (unsigned t = 0; t < 64; ++t) {
    unsigned branch = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (((t / 32 * 32 + lane) % 3 == 0) == (t % 3 == 0)) branch |= 1U << lane;
    }
    EXPECT_EQ(static_cast<unsigned>(got[t]), branch);
    EXPECT_EQ(got[t + 64], -1) << "the paths meet again";
    const int sums[] = {0, 1, 3, 6, 10};
    EXPECT_EQ(got[t + 128], sums[t % 5] + (t % 3 != 0 ? 100 : t < 32 ? 1 : 0));
  }
}

TEST_F(Threads, AtomicsOfManyBlocks) {
  NEEDS_NVRTC();
  FunctionHandle* kernel =
      compile(R"(extern "C" __global__ void k(int* a, unsigned long long* l, float* f, double* d) {
    __shared__ int s; if (threadIdx.x == 0) s = 0; __syncthreads();
      int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&s, 2); __syncthreads(); if (threadIdx.x == 0) atomicAdd(a, s);
    atomicMax(a + 1, i); atomicMin(a + 2, -i); atomicOr(a + 3, 1 << (i & 31)); atomicXor(a + 4, i);
      atomicAnd(a + 5, ~(i & 6));
    atomicInc((unsigned*)a + 6, 9); atomicDec((unsigned*)a + 7, 9); atomicAdd(l, 1ull << 33);
      atomicAdd(f, 0.5f); atomicAdd(d, 0.25);
    for (;;) { unsigned long long old = *(volatile unsigned long long*)(l + 1);
      if (atomicCAS(l + 1, old, old + 3) == old) break; }
    atomicExch(a + 8, i); atomicMax((unsigned long long*)l + 2, (unsigned long long)i << 40); })");
  const CuDevicePtr a = upload(std::vector<int>{0, -1, 1, 0, 0, -1, 0, 0, -1});
  const CuDevicePtr l = upload(std::vector<unsigned long long>{0, 0, 0});
  const CuDevicePtr f = upload(std::vector<float>{0});
  const CuDevicePtr d = upload(std::vector<double>{0});
  run(kernel, 64, 96, a, l, f, d);
  constexpr int kThreads = 64 * 96;
  const auto ints = download<int>(a, 9);
  EXPECT_EQ(ints[0], 2 * kThreads);
  EXPECT_EQ(ints[1], kThreads - 1);
  EXPECT_EQ(ints[2], -(kThreads - 1));
  EXPECT_EQ(ints[3], -1);
  int folded = 0;
  for (int i = 0; i < kThreads; ++i) folded ^= i;
  EXPECT_EQ(ints[4], folded);
  EXPECT_EQ(ints[5], ~6);
  EXPECT_EQ(ints[6], kThreads % 10);
  EXPECT_EQ(ints[7], (10 - kThreads % 10) % 10);
  EXPECT_GE(ints[8], 0);
  EXPECT_EQ(download<unsigned long long>(l, 3),
            (std::vector<unsigned long long>{static_cast<unsigned long long>(kThreads) << 33, 3ULL * kThreads,
                                             static_cast<unsigned long long>(kThreads - 1) << 40}));
  EXPECT_EQ(download<float>(f, 1)[0], 0.5F * kThreads);
  EXPECT_EQ(download<double>(d, 1)[0], 0.25 * kThreads);
}

TEST_F(Threads, MessagesGoBetweenTwoBlocks) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(int* box, volatile int* turn, int rounds) {
    for (int r = 0; r < rounds; ++r) {
      if (threadIdx.x == 0) while (*turn != 2 * r + (int)blockIdx.x) {}
      __syncthreads(); __threadfence();
      box[threadIdx.x] = box[(threadIdx.x + 1) % 32] + 1;
      __threadfence(); __syncthreads();
      if (threadIdx.x == 0) *turn = 2 * r + blockIdx.x + 1; } })");
  const CuDevicePtr box = upload(std::vector<int>(32, 0));
  const CuDevicePtr turn = upload(std::vector<int>{0});
  run(kernel, 2, 32, box, turn, 50);
  EXPECT_EQ(download<int>(box, 32), std::vector<int>(32, 100));
}

TEST_F(Threads, AllBlocksThatFitMeetAtABarrierOfTheGrid) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(int* counter, int* out) {
    __syncthreads();
    if (threadIdx.x == 0) { __threadfence(); atomicAdd(counter, 1);
      while (atomicAdd(counter, 0) < (int)gridDim.x) {} }
    __syncthreads(); out[blockIdx.x] = *(volatile int*)counter; })");
  int blocks = 0;
  ASSERT_EQ(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 0), kSuccess);
  int processors = 0;
  ASSERT_EQ(cu.cuDeviceGetAttribute(&processors, 16, 0), kSuccess);
  const auto all = static_cast<unsigned>(blocks * processors);
  ASSERT_GE(all, 8U);
  const CuDevicePtr counter = upload(std::vector<int>{0});
  const CuDevicePtr out = allocate(all * sizeof(int));
  run(kernel, all, 64, counter, out);
  EXPECT_EQ(download<int>(out, all), std::vector<int>(all, static_cast<int>(all)));
}

TEST_F(Threads, OfOneWarpMayWaitForEachOther) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(int* out) {
    __shared__ volatile int flag; int t = threadIdx.x; if (t == 0) flag = 0; __syncwarp();
    if (t == 5) { while (flag == 0) {} } else if (t == 9) { flag = 1; }
    out[t] = flag; })");
  const CuDevicePtr out = upload(std::vector<int>(32, 0));
  run(kernel, 1, 32, out);
  EXPECT_EQ(download<int>(out, 32)[5], 1);
}

TEST_F(Threads, LocalArraysBelongToEachThread) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(
      R"(__device__ __noinline__ int fold(const int* a, int n) { int s = 0; for (int i = 0; i < n;
      ++i) s = s * 3 + a[(i * 7) % n]; return s; }
    extern "C" __global__ void k(int* out) { int t = threadIdx.x; int a[13]; unsigned char b[9];
    for (int i = 0; i < 13; ++i) a[(i * 5 + t) % 13] = i * t; for (int i = 0; i < 9;
      ++i) b[(i + t) % 9] = a[i] + 3;
    int s = fold(a, 13); for (int i = 0; i < 9; ++i) s += b[(i * t) % 9]; out[t] = s; })");
  const CuDevicePtr out = allocate(70 * sizeof(int));
  run(kernel, 1, 70, out);
  const auto got = download<int>(out, 70);
  for (int t = 0; t < 70; ++t) {
    int a[13];
    unsigned char b[9];
    for (int i = 0; i < 13; ++i) a[(i * 5 + t) % 13] = i * t;
    for (int i = 0; i < 9; ++i) b[(i + t) % 9] = static_cast<unsigned char>(a[i] + 3);
    unsigned sum = 0;
    for (int i = 0; i < 13; ++i) sum = sum * 3 + static_cast<unsigned>(a[i * 7 % 13]);
    for (int i = 0; i < 9; ++i) sum += b[i * t % 9];
    EXPECT_EQ(static_cast<unsigned>(got[static_cast<std::size_t>(t)]), sum) << t;
  }
}

TEST_F(Threads, FunctionsTakeAndGiveStructuresAndAreCalledByPointers) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(struct S { float a[3]; int n; double d; };
    __device__ __noinline__ S twice(S s, int i) { s.a[i] *= 2; s.n += i; s.d *= s.a[0]; return s; }
    __device__ __noinline__ int deep(int x) { return x < 3 ? x : deep(x - 1) + deep(x - 3); }
    __device__ int up(int x) { return x + 1; } __device__ int down(int x) { return x - 1; }
    __device__ int (*volatile table[2])(int) = {up, down};
      __constant__ short weights[4] = {1, -2, 3, -4}; __device__ int bias = 1000;
    extern "C" __global__ void k(S s, S* out, int* numbers) { int t = threadIdx.x; out[t] = twice(s, t % 3);
    numbers[t] = table[t & 1](t * 10) + weights[t & 3] + bias + 100000 * deep(t % 9); })");
  struct S {
    float a[3];
    int n;
    double d;
  };
  const S s{{1.5F, 2.5F, 3.5F}, 7, 0.5};
  const CuDevicePtr out = allocate(40 * sizeof(S)), numbers = allocate(40 * sizeof(int));
  run(kernel, 1, 40, s, out, numbers);
  const auto structures = download<S>(out, 40);
  const auto values = download<int>(numbers, 40);
  int deep[9] = {0, 1, 2};
  for (int i = 3; i < 9; ++i) deep[i] = deep[i - 1] + deep[i - 3];
  const int weights[] = {1, -2, 3, -4};
  for (int t = 0; t < 40; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const int i = t % 3;
    EXPECT_EQ(structures[at].a[i], s.a[i] * 2);
    EXPECT_EQ(structures[at].n, 7 + i);
    EXPECT_EQ(structures[at].d, 0.5 * (i == 0 ? 3.0 : 1.5));
    EXPECT_EQ(values[at], t * 10 + (t % 2 == 0 ? 1 : -1) + weights[t % 4] + 1000 + 100000 * deep[t % 9]);
  }
}

TEST_F(Threads, SwitchesAndLoopsOfDifferentLengths) {
  NEEDS_NVRTC();
  FunctionHandle* kernel =
      compile(R"(extern "C" __global__ void k(const int* x, int* out) { int t = threadIdx.x, v = x[t], r = 0;
    for (int i = 0; i < v % 17; ++i) { if (i == 11) continue; if (i * v > 90) break;
      switch ((v + i) % 8) { case 0: r += 1; break; case 1: r ^= 77; break; case 2: r -= v;
      case 3: r += i; break; case 4: r *= 3; break; case 5: r = ~r; break; case 6: return;
      default: r += 100; } }
    out[t] = r; })");
  std::vector<int> x(96);
  for (int i = 0; i < 96; ++i) x[static_cast<std::size_t>(i)] = i * 37 % 101;
  const CuDevicePtr out = upload(std::vector<int>(96, -1));
  run(kernel, 1, 96, upload(x), out);
  const auto got = download<int>(out, 96);
  for (std::size_t t = 0; t < 96; ++t) {
    const int v = x[t];
    int r = 0;
    bool returned = false;
    for (int i = 0; i < v % 17 && !returned; ++i) {
      if (i == 11) continue;
      if (i * v > 90) break;
      switch ((v + i) % 8) {
        case 0: r += 1; break;
        case 1: r ^= 77; break;
        case 2: r -= v; [[fallthrough]];
        case 3: r += i; break;
        case 4: r *= 3; break;
        case 5: r = ~r; break;
        case 6: returned = true; break;
        default: r += 100;
      }
    }
    EXPECT_EQ(got[t], returned ? -1 : r) << v;
  }
}

TEST_F(Threads, GridsOfThreeDimensionsAndDynamicSharedMemory) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern __shared__ int dynamic[];
    extern "C" __global__ void k(int* out) { __shared__ int fixed[5];
      int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int n = blockDim.x * blockDim.y * blockDim.z; dynamic[t] = t; if (t < 5) fixed[t] = 1000 * t;
      __syncthreads();
    int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
      out[b * n + t] = dynamic[n - 1 - t] + fixed[t % 5] + 100000 * b; })");
  const CuDevicePtr out = allocate(60 * 24 * sizeof(int));
  CuDevicePtr argument = out;
  void* parameters[] = {&argument};
  ASSERT_EQ(cu.cuLaunchKernel(kernel, 3, 4, 5, 2, 3, 4, 24 * 4, stream, parameters, nullptr), kSuccess);
  const auto got = download<int>(out, 60 * 24);
  for (int i = 0; i < 60 * 24; ++i) {
    const int t = i % 24;
    EXPECT_EQ(got[static_cast<std::size_t>(i)], 23 - t + 1000 * (t % 5) + 100000 * (i / 24));
  }
}

}  // namespace
}  // namespace collet::cuda_double
