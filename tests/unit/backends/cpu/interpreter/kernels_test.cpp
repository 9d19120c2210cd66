// The CPU backend's interpreter: whole kernels against plain loops.

#include <cmath>
#include <numeric>

#include "kernel/ir/fused.hpp"
#include "unit/backends/cpu/interpreter/launch.hpp"

namespace collet {
namespace {

TEST(Interpreter, AGroupReducesThroughItsMemoryBetweenBarriers) {
  for (const std::uint64_t items : {1024u, 1000u, 1u}) {
    Launch launch = launch_of(R"(kernel k group(512, 1, 1) {
      buffer x: u32 in
      buffer sums: u32 inout
      workgroup s: u32 [512]
      %0: u32 = local_id 0
      %1: u32 = global_id 0
      %2: u32 = load x[%1]
      store s[%0], %2
      barrier
      %3: u32 = variable
      %4: u32 = constant 256
      set %3, %4
      %5: u32 = constant 1
      %6: u32 = constant 0
      loop {
        %7: u32 = get %3
        %8: bool = eq %7, %6
        if %8 {
          break
        }
        %9: bool = lt %0, %7
        if %9 {
          %10: u32 = add %0, %7
          %11: u32 = load s[%10]
          %12: u32 = load s[%0]
          %13: u32 = add %11, %12
          store s[%0], %13
        }
        barrier
      } continuing {
        %14: u32 = get %3
        %15: u32 = shr %14, %5
        set %3, %15
      }
      %16: bool = eq %0, %6
      if %16 {
        %17: u32 = group_id 0
        %18: u32 = load s[%6]
        store sums[%17], %18
      }
    })",
                              {items, 1, 1});
    std::vector<std::uint32_t> x(items);
    std::iota(x.begin(), x.end(), 1u);
    launch.add_buffer(x);
    launch.buffers.emplace_back(4 * 4);
    launch.run(2);
    const auto sums = launch.read<std::uint32_t>(1);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0u), items * (items + 1) / 2);
  }
}

TEST(Interpreter, AtomicsOfManyGroupsAddUp) {
  Launch launch = launch_of(R"(kernel histogram group(128, 1, 1) {
    buffer x: u32 in
    buffer bins: u32 inout
    buffer big: i64 inout
    workgroup own: u32 [16]
    %0: u32 = global_id 0
    %1: u32 = load x[%0]
    %2: u32 = constant 15
    %3: u32 = bit_and %1, %2
    %4: u32 = constant 1
    %5: u32 = atomic_add own[%3], %4
    barrier
    %6: u32 = local_id 0
    %7: bool = le %6, %2
    if %7 {
      %8: u32 = atomic_load own[%6]
      %9: u32 = atomic_add bins[%6], %8
    }
    %10: u32 = constant 0
    %11: i64 = convert %0
    %12: i64 = atomic_max big[%10], %11
    %13: i64 = negate %11
    %14: i64 = atomic_min big[%4], %13
    %15: u32 = constant 2
    %16: i64 = constant 1
    %17: i64 = atomic_sub big[%15], %16
    %18: u32 = constant 3
    %19: i64 = constant 5
    %20: i64 = constant 9
    %21: i64 = atomic_compare_exchange big[%18], %19, %20
  })",
                            {100000, 1, 1});
  std::vector<std::uint32_t> x(100000);
  for (std::uint32_t i = 0; i < x.size(); ++i) x[i] = i * 2654435761u >> 7;
  launch.add_buffer(x);
  launch.buffers.emplace_back(16 * 4);
  launch.add_buffer(std::vector<std::int64_t>{0, 0, 0, 5});
  launch.run(4);
  std::vector<std::uint32_t> wanted(16);
  for (const std::uint32_t value : x) ++wanted[value & 15];
  EXPECT_EQ(launch.read<std::uint32_t>(1), wanted);
  EXPECT_EQ(launch.read<std::int64_t>(2), (std::vector<std::int64_t>{99999, -99999, -100000, 9}));
}

constexpr std::string_view kTiled = R"(kernel tiled group(16, 16, 1) {
  buffer a: f32 in
  buffer b: f32 in
  buffer c: f32 out
  value n: u32
  workgroup ta: f32 [256]
  workgroup tb: f32 [256]
  %0: u32 = parameter n
  %1: u32 = global_id 0
  %2: u32 = global_id 1
  %3: u32 = local_id 0
  %4: u32 = local_id 1
  %5: u32 = constant 16
  %6: u32 = constant 0
  %7: u32 = constant 1
  %8: f32 = variable
  %9: u32 = mul %4, %5
  %10: u32 = add %9, %3
  %11: u32 = mul %2, %0
  %12: u32 = range %6, %0, %5 {
    %13: u32 = add %12, %3
    %14: u32 = add %11, %13
    %15: f32 = load a[%14]
    store ta[%10], %15
    %16: u32 = add %12, %4
    %17: u32 = mul %16, %0
    %18: u32 = add %17, %1
    %19: f32 = load b[%18]
    store tb[%10], %19
    barrier
    %20: u32 = range %6, %5, %7 {
      %21: u32 = add %9, %20
      %22: f32 = load ta[%21]
      %23: u32 = mul %20, %5
      %24: u32 = add %23, %3
      %25: f32 = load tb[%24]
      %26: f32 = get %8
      %27: f32 = fma %22, %25, %26
      set %8, %27
    }
    barrier
  }
  %28: u32 = add %11, %1
  %29: f32 = get %8
  store c[%28], %29
})";

constexpr std::string_view kNaive = R"(kernel naive group(16, 16, 1) {
  buffer a: f32 in
  buffer b: f32 in
  buffer c: f32 out
  value n: u32
  %0: u32 = parameter n
  %1: u32 = global_id 0
  %2: u32 = global_id 1
  %3: u32 = constant 0
  %4: u32 = constant 1
  %5: f32 = variable
  %6: u32 = mul %2, %0
  %7: u32 = range %3, %0, %4 {
    %8: u32 = add %6, %7
    %9: f32 = load a[%8]
    %10: u32 = mul %7, %0
    %11: u32 = add %10, %1
    %12: f32 = load b[%11]
    %13: f32 = get %5
    %14: f32 = fma %9, %12, %13
    set %5, %14
  }
  %15: u32 = add %6, %1
  %16: f32 = get %5
  store c[%15], %16
})";

TEST(Interpreter, MatrixProductsAreThoseOfThePlainLoop) {
  constexpr std::uint32_t kN = 48;
  std::vector<float> a(kN * kN);
  std::vector<float> b(kN * kN);
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 17) / 3;
    b[i] = static_cast<float>(i % 13) - 6.5f;
  }
  std::vector<float> wanted(kN * kN);
  for (std::uint32_t y = 0; y < kN; ++y) {
    for (std::uint32_t x = 0; x < kN; ++x) {
      float sum = 0;
      for (std::uint32_t k = 0; k < kN; ++k) sum = ir::fused(a[y * kN + k], b[k * kN + x], sum);
      wanted[y * kN + x] = sum;
    }
  }
  for (const std::string_view text : {kNaive, kTiled}) {
    Launch launch = launch_of(text, {kN, kN, 1});
    launch.add_buffer(a);
    launch.add_buffer(b);
    launch.buffers.emplace_back(kN * kN * 4);
    launch.add_constant(kN);
    launch.run(2);
    EXPECT_EQ(launch.read<float>(2), wanted);
  }
}

TEST(Interpreter, SaxpyRoundsTwice) {
  Launch launch = launch_of(R"(kernel saxpy group(64, 1, 1) {
    buffer x: f32 in
    buffer y: f32 inout
    value a: f32
    %0: u32 = global_id 0
    %1: f32 = load x[%0]
    %2: f32 = parameter a
    %3: f32 = mul %2, %1
    %4: f32 = load y[%0]
    %5: f32 = add %3, %4
    store y[%0], %5
  })",
                            {1001, 1, 1});
  std::vector<float> x(1001);
  std::vector<float> y(1001);
  std::vector<float> wanted(1001);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0f + static_cast<float>(i) * 0x1p-23f;
    y[i] = -x[i] * x[i];
    const volatile float product = 1.00001f * x[i];
    wanted[i] = product + y[i];
  }
  launch.add_buffer(x);
  launch.add_buffer(y);
  launch.add_constant(1.00001f);
  launch.run(2);
  EXPECT_EQ(launch.read<float>(1), wanted);
}

TEST(Interpreter, MandelbrotCountsAsThePlainLoop) {
  constexpr std::uint32_t kWidth = 70;
  Launch launch = launch_of(R"(kernel mandelbrot group(8, 8, 1) {
    buffer out: u32 out
    value width: u32
    %0: u32 = parameter width
    %1: u32 = global_id 0
    %2: u32 = global_id 1
    %3: f32 = convert %1
    %4: f32 = convert %2
    %5: f32x2 = compose %3, %4
    %6: f32 = constant 0.03125
    %7: f32x2 = compose %6, %6
    %8: f32x2 = mul %5, %7
    %9: f32 = constant 1.5
    %10: f32 = constant 1.0
    %11: f32x2 = compose %9, %10
    %12: f32x2 = sub %8, %11
    %13: f32x2 = variable
    %14: u32 = variable
    %15: u32 = constant 0
    %16: u32 = constant 100
    %17: u32 = constant 1
    %18: u32 = range %15, %16, %17 {
      %19: f32x2 = get %13
      %20: f32x2 = mul %19, %19
      %21: f32 = extract %20, 0
      %22: f32 = extract %20, 1
      %23: f32 = add %21, %22
      %24: f32 = constant 4.0
      %25: bool = gt %23, %24
      if %25 {
        break
      }
      %26: f32 = extract %19, 0
      %27: f32 = extract %19, 1
      %28: f32 = mul %26, %27
      %29: f32 = add %28, %28
      %30: f32 = sub %21, %22
      %31: f32x2 = compose %30, %29
      %32: f32x2 = add %31, %12
      set %13, %32
      %33: u32 = get %14
      %34: u32 = add %33, %17
      set %14, %34
    }
    %35: u32 = mul %2, %0
    %36: u32 = add %35, %1
    %37: u32 = get %14
    store out[%36], %37
  })",
                            {kWidth, 60, 1});
  launch.buffers.emplace_back(kWidth * 60 * 4);
  launch.add_constant(kWidth);
  launch.run(2);
  const auto out = launch.read<std::uint32_t>(0);
  for (std::uint32_t py = 0; py < 60; ++py) {
    for (std::uint32_t px = 0; px < kWidth; ++px) {
      const float cx = static_cast<float>(px) * 0.03125f - 1.5f;
      const float cy = static_cast<float>(py) * 0.03125f - 1.0f;
      float x = 0;
      float y = 0;
      std::uint32_t count = 0;
      for (; count < 100 && x * x + y * y <= 4; ++count) {
        const float product = x * y;
        const float next = x * x - y * y;
        x = next + cx;
        y = product + product + cy;
      }
      ASSERT_EQ(out[py * kWidth + px], count) << px << ", " << py;
    }
  }
}

}  // namespace
}  // namespace collet
