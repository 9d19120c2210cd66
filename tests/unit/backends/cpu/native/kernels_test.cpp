// The CPU backend's native code: whole kernels of the kernel language, on every level of vectors, bit for bit
// as on the interpreter, in grids that groups fill and that they do not.

#include <collet/collet.hpp>
#include <collet/diagnosis.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "unit/backends/cpu/native/launch.hpp"
#include "unit/variables.hpp"

namespace collet {
namespace {

using backend::cpu::native::Level;

class NativeKernels : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override {
    COLLET_NEEDS_LLVM();
    if (const std::string why = why_not(GetParam()); !why.empty()) GTEST_SKIP() << why;
  }

  static void compare(Launch launch) { compare_tiers(std::move(launch), GetParam()); }
};

template <class Kernel>
Launch launch_of_kernel(const Kernel& kernel, std::array<std::uint64_t, 3> extent) {
  return launch_of(kernel.emit(Format::ir).value().bytes, extent);
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> made(count);
  for (std::size_t i = 0; i < count; ++i)
    made[i] = static_cast<float>(i * 2654435761u % 1000003u) / 1009.0f - 400.0f;
  return made;
}

const auto kSaxpy = kernel("saxpy", [](In<float> x, InOut<float> y, Value<float> a) {
  const auto i = global_id();
  y[i] = a * x[i] + y[i];
});

TEST_P(NativeKernels, Saxpy) {
  for (const std::uint64_t n : {1u, 63u, 64u, 1000u}) {
    Launch launch = launch_of_kernel(kSaxpy, {n, 1, 1});
    launch.add_buffer(numbers(n));
    launch.add_buffer(numbers(n > 7 ? n - 5 : n));  // the last items reach beyond it
    launch.add_constant(1.7f);
    compare(std::move(launch));
  }
}

// A row of groups is whole only where it is along y and z, too, each beside its own size.
TEST_P(NativeKernels, OnlyItemsOfTheGridRunWhateverTheGroup) {
  const auto count = kernel("count", [](InOut<std::uint32_t> seen) {
    const auto i = global_id(0) + 16u * (global_id(1) + 8u * global_id(2));
    seen[i] = seen[i] + 1u;
  });
  struct Case {
    std::array<std::uint32_t, 3> size;
    std::uint64_t y, z;
  };
  for (const auto& [size, y, z] :
       {Case{{4, 2, 2}, 3, 2}, Case{{4, 2, 2}, 2, 3}, Case{{4, 2, 1}, 3, 1}, Case{{4, 1, 2}, 1, 3}}) {
    SCOPED_TRACE(testing::Message() << size[0] << "x" << size[1] << "x" << size[2] << ", " << y << ", " << z);
    Launch launch = launch_of_kernel(count.with(group(size[0], size[1], size[2])), {8, y, z});
    launch.add_buffer(std::vector<std::uint32_t>(16 * 8 * 8));
    compare(std::move(launch));
  }
}

// LLVM may take the last active lane before it has seen that there is one.
TEST(NativeText, ALaneIsTakenThatIsThereAlsoWhereNoneIsActive) {
  const auto last = kernel("last", [](Out<std::uint32_t> out) {
    const auto i = global_id();
    if_(i % 3u == 1u, [&] { out[0u] = i * i; });
  });
  const std::string text =
      write_text(ir::parse(last.emit(Format::ir).value().bytes).value(), backend::cpu::native::kAvx512)
          .value();
  const std::size_t call = text.find("= call i16 @llvm.ctlz.i16(i16 ");
  ASSERT_NE(call, std::string::npos) << text;
  const std::size_t begin = text.find('%', call);
  const std::string word = text.substr(begin, text.find(',', begin) - begin);
  const std::size_t made = text.find(word + " = or i16 ");
  ASSERT_NE(made, std::string::npos) << text;
  EXPECT_EQ(text.substr(text.find(',', made), 4), ", 1\n");
}

// What lies behind a buffer is somebody else's: neither read nor written, by rows, single items or gathers.
TEST_P(NativeKernels, IndicesBeyondABufferLoadZeroAndStoreNothing) {
  const auto copy = kernel("copy", [](In<std::uint32_t> in, Out<std::uint32_t> out) {
    const auto i = global_id();
    out[i] = in[i] + in[40u] * 10u + in[i ^ 1u] * 100u;
    out[i ^ 64u] = 5u;
  });
  const Launch launch = launch_of_kernel(copy, {64, 1, 1});
  const auto program = backend::cpu::native::compile(launch.kernel, GetParam());
  ASSERT_TRUE(program) << program.error().message();
  std::vector<std::uint32_t> in(64, 1);
  std::vector<std::uint32_t> out(128, 7);
  std::byte* const buffers[] = {reinterpret_cast<std::byte*>(in.data()),
                                reinterpret_cast<std::byte*>(out.data())};
  const std::uint64_t sizes[] = {40 * 4, 50 * 4};
  const backend::HostGroup group{.count = {1, 1, 1},
                                 .size = {64, 1, 1},
                                 .extent = {64, 1, 1},
                                 .buffers = buffers,
                                 .buffer_sizes = sizes};
  backend::cpu::native::Scratch scratch;
  ASSERT_TRUE(backend::cpu::native::run(**program, group, 1, scratch));
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i < 40 ? 101u : i < 50 ? 0u : 7u) << i;
}

TEST_P(NativeKernels, Stencil) {
  const auto stencil = kernel("stencil", [](In<float> in, Out<float> out, Value<std::uint32_t> width) {
                         const auto x = global_id(0);
                         const auto y = global_id(1);
                         const auto at = y * width + x;
                         if_(x > 0u && y > 0u && x + 1u < element_count(0) && y + 1u < element_count(1), [&] {
                           out[at] = (in[at - 1u] + in[at + 1u] + in[at - width] + in[at + width]) * 0.25f;
                         }).else_([&] { out[at] = in[at]; });
                       }).with(group(16, 8));
  for (const std::uint32_t n : {48u, 50u}) {
    Launch launch = launch_of_kernel(stencil, {n, n, 1});
    launch.add_buffer(numbers(n * n));
    launch.add_buffer(std::vector<float>(n * n));
    launch.add_constant(n);
    compare(std::move(launch));
  }
}

const auto kTiled = kernel("tiled", [](In<float> a, In<float> b, Out<float> c, Value<std::uint32_t> n) {
                      const auto x = local_id(0);
                      const auto y = local_id(1);
                      const auto tile_a = shared<float>(256);
                      const auto tile_b = shared<float>(256);
                      Var<float> sum = 0.0f;
                      for_(0u, n / 16u, [&](auto tile) {
                        tile_a[y * 16u + x] = a[global_id(1) * n + tile * 16u + x];
                        tile_b[y * 16u + x] = b[(tile * 16u + y) * n + global_id(0)];
                        barrier();
                        for_(0u, 16u, [&](auto k) { sum += tile_a[y * 16u + k] * tile_b[k * 16u + x]; });
                        barrier();
                      });
                      c[global_id(1) * n + global_id(0)] = sum;
                    }).with(group(16, 16));

// Rows of groups are checked once where every index moves on with them; each of these reaches beyond a buffer
// somewhere.
TEST_P(NativeKernels, RowsThatAreInsideInPart) {
  const auto shift =
      kernel("shift", [](In<float> x, InOut<float> y, Value<std::uint32_t> width, Value<std::int32_t> by) {
        const auto at = global_id(1) * width + global_id(0);
        Var<float> sum = x[at] + x[cast<std::uint32_t>(cast<std::int32_t>(at) + by)];
        if_(global_id(1) % 3u == 1u, [&] { sum += x[at - width] + x[2u * at]; });
        y[at] += sum;
      }).with(group(16, 4));
  for (const std::uint32_t by : {1u, 0u - 70u}) {
    for (const std::size_t length : {15u, 500u, 640u, 2000u}) {
      Launch launch = launch_of_kernel(shift, {64, 10, 1});
      launch.add_buffer(numbers(length));
      launch.add_buffer(numbers(length < 640 ? 640 : 600));
      launch.add_constant(64u);
      launch.add_constant(by);
      compare(std::move(launch));
    }
  }
}

TEST_P(NativeKernels, TiledMatrixProduct) {
  constexpr std::uint32_t kN = 48;
  Launch launch = launch_of_kernel(kTiled, {kN, kN, 1});
  launch.add_buffer(numbers(kN * kN));
  launch.add_buffer(numbers(kN * kN));
  launch.add_buffer(std::vector<float>(kN * kN));
  launch.add_constant(kN);
  compare(std::move(launch));
}

const auto kMandelbrot = kernel("mandelbrot", [](Out<std::uint32_t> out, Value<std::uint32_t> width) {
  const auto i = global_id();
  const auto cr = cast<float>(i % width) * (3.0f / 96.0f) - 2.0f;
  const auto ci = cast<float>(i / width) * (2.0f / 64.0f) - 1.0f;
  Var<float> zr = 0.0f;
  Var<float> zi = 0.0f;
  Var<std::uint32_t> count = 0u;
  while_([&] { return zr * zr + zi * zi <= 4.0f && count < 200u; },
         [&] {
           const Expr<float> next = zr * zr - zi * zi + cr;
           zi = 2.0f * zr * zi + ci;
           zr = next;
           count += 1u;
         });
  out[i] = count;
});

TEST_P(NativeKernels, Mandelbrot) {
  Launch launch = launch_of_kernel(kMandelbrot, {96 * 64 - 3, 1, 1});
  launch.add_buffer(std::vector<std::uint32_t>(96 * 64));
  launch.add_constant(96u);
  compare(std::move(launch));
}

TEST_P(NativeKernels, Histogram) {
  const auto histogram = kernel("histogram", [](In<std::uint32_t> x, InOut<std::uint32_t> bins) {
    const auto own = shared<std::uint32_t>(16);
    (void)atomic_add(own, x[global_id()] % 16u, 1u);
    barrier();
    if_(local_id() < 16u, [&] { (void)atomic_add(bins, local_id(), own[local_id()]); });
  });
  std::vector<std::uint32_t> x(1000);
  for (std::uint32_t i = 0; i < x.size(); ++i) x[i] = i * 2654435761u >> 7;
  Launch launch = launch_of_kernel(histogram, {1000, 1, 1});
  launch.add_buffer(x);
  launch.add_buffer(std::vector<std::uint32_t>(16));
  compare(std::move(launch));
}

// Parts of a group that have nothing to do are left out: those that are known, and those that show when it
// runs.
const auto kSum = kernel("sum", [](In<float> x, Out<float> sums, Value<std::uint32_t> half) {
                    const auto local = local_id();
                    const auto part = shared<float>(128);
                    part[local] = x[global_id()];
                    barrier();
                    for (std::uint32_t step = 64; step > 2; step /= 2) {
                      if_(local < step, [&] { part[local] += part[local + step]; });
                      barrier();
                    }
                    Var<std::uint32_t> step = half;
                    while_([&] { return step != 0u; },
                           [&] {
                             if_(local < step, [&] { part[local] += part[local + step]; }).else_([&] {
                               part[local] += 1.0f;
                             });
                             barrier();
                             step /= 2u;
                           });
                    sums[global_id()] = part[local];
                  }).with(group(128));

TEST_P(NativeKernels, Sum) {
  for (const std::uint64_t n : {256u, 300u}) {
    Launch launch = launch_of_kernel(kSum, {n, 1, 1});
    launch.add_buffer(numbers(n));
    launch.add_buffer(std::vector<float>(n));
    launch.add_constant(2u);
    compare(std::move(launch));
  }
}

// Everything that can cross a barrier, in groups of so many vectors that they run one after the other: values
// of all shapes, variables, private arrays, what the first item says, and who has returned.
const auto kCrossing =
    kernel("crossing", [](In<std::uint32_t> x, Out<std::uint32_t> y, Value<std::uint32_t> rounds) {
      const auto i = global_id();
      const auto local = local_id();
      const auto tile = shared<std::uint32_t>(1024);
      const auto own = array<std::uint32_t>(3);
      const Expr<std::uint32_t> mine = x[i];               // differs
      const Expr<std::uint32_t> same = x[rounds];          // the same for all
      const Expr<std::uint32_t> line = local * same + 3u;  // linear, of a value that was loaded
      const Expr<bool> odd = mine % 2u == 1u;
      Var<std::uint32_t> sum = mine;
      Var<std::uint32_t> left = rounds;
      for (std::uint32_t k = 0; k < 3; ++k) own[k] = line + k;
      own[mine % 3u] = local;
      tile[local] = mine ^ line;
      barrier();
      const Expr<std::uint32_t> first = uniform(tile[1023u - local]);
      while_([&] { return left != 0u; },
             [&] {
               left -= 1u;
               if_(left == 3u, [] { continue_(); });
               if_(left == same % 1000u + 1000u, [] { break_(); });
               sum += tile[(local + left) % 1024u] + first;
               barrier();
               if_(odd, [&] { tile[local] = sum + own[mine % 3u] + line; });
               barrier();
             });
      if_(rounds == 77u, [] { return_(); });
      if_(first != 5u, [&] {
        barrier();
        if_(local % 7u == 2u, [] { return_(); });
        sum += 1u;
      });
      y[i] = sum + left + cast<std::uint32_t>(odd) + tile[local];
    }).with(group(1024));

TEST_P(NativeKernels, WhatCrossesBarriers) {
  std::vector<std::uint32_t> x(2048);
  for (std::uint32_t i = 0; i < x.size(); ++i) x[i] = i * 2654435761u >> 5;
  for (const std::uint64_t n : {2048u, 1500u}) {
    for (const std::uint32_t rounds : {0u, 6u, 77u}) {
      Launch launch = launch_of_kernel(kCrossing, {n, 1, 1});
      launch.add_buffer(x);
      launch.add_buffer(std::vector<std::uint32_t>(n, 7u));
      launch.add_constant(rounds);
      compare(std::move(launch));
    }
  }
}

// Where nobody is left, nobody says how a loop of the group goes on.
TEST_P(NativeKernels, LoopsOfTheGroupEndWhenAllHaveReturned) {
  const auto leaving =
      kernel("leaving", [](In<std::uint32_t> x, InOut<std::uint32_t> y, Value<std::uint32_t> rounds) {
        const auto i = global_id();
        barrier();
        if_(x[i] != 7u, [] { return_(); });
        Var<std::uint32_t> left = rounds;
        while_([&] { return left != 0u; },
               [&] {
                 left -= 1u;
                 if_(left == 1000u, [] { return_(); });
                 y[i] += 1u;
               });
      }).with(group(1024));
  for (const std::uint32_t value : {0u, 7u}) {
    std::vector<std::uint32_t> x(1024, 0u);
    x[500] = value;
    Launch launch = launch_of_kernel(leaving, {1024, 1, 1});
    launch.add_buffer(x);
    launch.add_buffer(std::vector<std::uint32_t>(1024));
    launch.add_constant(5u);
    compare(std::move(launch));
  }
}

// In groups whose rows fill vectors and whose rows do not, with a last subgroup that is smaller.
TEST_P(NativeKernels, Subgroups) {
  for (const std::uint32_t width : {64u, 20u}) {
    const auto subgroups =
        kernel("subgroups", [](In<std::int32_t> x, InOut<std::int32_t> y, InOut<float> z) {
          const auto i = global_id(1) * element_count(0) + global_id(0);
          const Expr<std::int32_t> mine = x[i];
          const Expr<float> real = cast<float>(mine) * 0.37f;
          Var<std::int32_t> sum = subgroup_add(mine) * 3;
          sum += subgroup_min(mine) ^ subgroup_max(mine);
          for_(0u, 3u, [&](auto k) {
            sum += subgroup_shuffle(mine, cast<std::uint32_t>(mine) % 20u + k) +
                   cast<std::int32_t>(subgroup_add(k));
          });
          sum += cast<std::int32_t>(subgroup_lane() * 100u + subgroup_id() * 7u + subgroup_size());
          if_(subgroup_any(mine > 900), [&] { sum += 5; });
          if_(subgroup_all(mine < 990), [&] { sum += 9; });
          y[i] = sum + subgroup_broadcast_first(mine);
          z[i] = subgroup_scan_add(real) + subgroup_add(real) + subgroup_max(real);
        }).with(group(width, 3));
    for (const std::uint64_t n : {128u, 70u}) {
      Launch launch = launch_of_kernel(subgroups, {n, 6, 1});
      std::vector<std::int32_t> x(n * 6);
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(i) * 2654435761u >> 22);
      launch.add_buffer(x);
      launch.add_buffer(std::vector<std::int32_t>(x.size(), 7));
      launch.add_buffer(std::vector<float>(x.size()));
      compare(std::move(launch));
    }
  }
}

TEST(Native, PartsThatHaveNothingToDoAreLeftOut) {
  const std::string text =
      write_text(ir::parse(kSum.emit(Format::ir).value().bytes).value(), backend::cpu::native::kAvx512)
          .value();
  const auto count = [&](const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  // Steps of 8 and 4 store the first lanes of one part; both branches of the loop ask all 8 parts.
  EXPECT_EQ(count("store <8 x float>"), 1u);
  EXPECT_EQ(count("store <4 x float>"), 1u);
  EXPECT_EQ(count("call void @llvm.masked.store.v16f32.p0"), 8u + 8u);
}

TEST_P(NativeKernels, LanesLeaveLoopsAndReturn) {
  const auto leave = kernel("leave", [](In<std::uint32_t> x, Out<std::uint32_t> y) {
                       const auto i = global_id();
                       Var<std::uint32_t> sum = 0u;
                       for_(0u, x[i] % 50u, [&](auto k) {
                         if_(k % 3u == 1u, [] { continue_(); });
                         for_(k, 40u, 7u, [&](auto j) {
                           if_(j * k > 300u, [] { break_(); });
                           if_(j + i == 55u, [] { return_(); });
                           sum += j ^ k;
                         });
                       });
                       y[i] = sum;
                     }).with(group(20, 1));
  std::vector<std::uint32_t> x(777);
  for (std::uint32_t i = 0; i < x.size(); ++i) x[i] = i * 2654435761u >> 9;
  Launch launch = launch_of_kernel(leave, {777, 1, 1});
  launch.add_buffer(x);
  launch.add_buffer(std::vector<std::uint32_t>(777, 7u));
  compare(std::move(launch));
}

INSTANTIATE_TEST_SUITE_P(Levels, NativeKernels,
                         testing::Values(Level::host, Level::scalar, Level::sse2, Level::avx2, Level::avx512,
                                         Level::neon),
                         level_name);

TEST(Native, WhatIsNotCoveredIsNamed) {
  const auto sum = kernel("sum", [](InOut<half> x) { x[global_id()] = subgroup_add(x[global_id()]); });
  const auto text = backend::cpu::native::write_text(ir::parse(sum.emit(Format::ir).value().bytes).value(),
                                                     backend::cpu::native::kAvx512);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(text.error().message(),
            "[Kernel \"sum\"] has arithmetic of subgroups on f16, which native code does not cover yet.");
}

TEST(Native, AnIndexThatIsKnownToBeInsideIsNotChecked) {
  const auto inside = kernel("inside", [](Out<float> y) {
    const auto s = shared<float>(64);
    s[local_id()] = 1.0f;
    barrier();
    y[global_id()] = s[local_id()];
  });
  const std::string text =
      backend::cpu::native::write_text(ir::parse(inside.emit(Format::ir).value().bytes).value(),
                                       backend::cpu::native::kAvx512)
          .value();
  EXPECT_EQ(text.find("@scatter_1"), std::string::npos);  // of the shared memory
  EXPECT_EQ(text.find("@gather_1"), std::string::npos);
  EXPECT_NE(text.find("@scatter_0"), std::string::npos);  // of the buffer
}

#if defined(__unix__)
TEST(Native, ReceiptsNameTheTier) {
  COLLET_NEEDS_LLVM();
  for (const char* tier : {"native", "interpreter"}) {
    const test::Variables variables{{"COLLET_CPU_TIER", tier}};
    auto device = Device::open("cpu").value();
    const auto x = device.upload(std::vector<float>(1000, 1.0f)).value();
    const auto y = device.upload(std::vector<float>(1000, 2.0f)).value();
    auto stream = device.stream();
    stream.launch(kSaxpy, 1000, x, y, 3.0f);
    std::vector<float> host(1000);
    stream.download(y, std::span(host));
    const auto receipt = stream.wait().value();
    EXPECT_EQ(host, std::vector<float>(1000, 5.0f));
    ASSERT_EQ(receipt.launches.size(), 1u);
    EXPECT_EQ(receipt.launches[0].facts->tier, tier);
  }
}

// Launches saxpy until it runs in another tier than the first one, or for ten seconds; gives the tiers seen.
std::set<std::string> tiers_of_saxpy(std::uint32_t count) {
  const auto saxpy = kernel("growing_saxpy", [](In<float> x, InOut<float> y, Value<float> a) {
    y[global_id()] = a * x[global_id()] + y[global_id()];
  });
  auto device = Device::open("cpu").value();
  const auto x = device.upload(std::vector<float>(count, 1.0f)).value();
  const auto y = device.buffer<float>(count).value();
  auto stream = device.stream();
  std::set<std::string> tiers;
  const Deadline deadline = Deadline::in(std::chrono::seconds(10));
  for (std::uint32_t launch = 1; launch <= 200 || (tiers.size() < 2 && !deadline.passed()); ++launch) {
    stream.launch(saxpy, count, x, y, 1.0f);
    std::vector<float> last(1);
    stream.download(y.slice(count - 1, 1), std::span(last));
    const Receipt receipt = stream.wait().value();
    EXPECT_EQ(last[0], static_cast<float>(launch));
    tiers.insert(receipt.launches.back().facts->tier);
    if (count < 1000 && launch == 200) break;
  }
  return tiers;
}

TEST(Native, AKernelThatIsWorthItBecomesNativeWhileItRuns) {
  COLLET_NEEDS_LLVM();
  const test::Variables variables{{"COLLET_CPU_TIER", "auto"}};
  EXPECT_EQ(tiers_of_saxpy(1'000'000), (std::set<std::string>{"interpreter", "native"}));
  EXPECT_EQ(tiers_of_saxpy(100), std::set<std::string>{"interpreter"});  // 200 launches are not worth it
}

// The device ends while LLVM is at work, or before.
TEST(Native, ADeviceMayEndBeforeItsKernelIsNative) {
  const test::Variables variables{{"COLLET_CPU_TIER", "auto"}};
  for (int round = 0; round < 4; ++round) {
    const auto worth = kernel("worth_it", [](Out<std::uint32_t> out) {
      Var<std::uint32_t> sum = global_id();
      for_(0u, 100u, [&](const auto& k) { sum = sum * 3u + k; });
      out[global_id()] = sum;
    });
    auto device = Device::open("cpu").value();
    const auto out = device.buffer<std::uint32_t>(1'000'000).value();
    auto stream = device.stream();
    stream.launch(worth, 1'000'000, out);
    ASSERT_TRUE(stream.wait());
    std::this_thread::sleep_for(std::chrono::milliseconds(round * 5));
  }
}
#endif

TEST(Native, TheDoctorSaysWhoCompilesKernels) {
  const auto llvm = backend::cpu::native::load_llvm();
  const test::Variables variables{{"COLLET_CPU_TIER", "native"}};
  const Diagnosis diagnosis = diagnose({.isolated = false, .cached = false, .backends = {"cpu"}});
  const auto found = std::ranges::find_if(diagnosis.findings, [](const Finding& finding) {
    return finding.subject == "cpu" && finding.message.starts_with("Kernels ");
  });
  ASSERT_NE(found, diagnosis.findings.end());
  EXPECT_EQ(found->severity, llvm ? Finding::Severity::good : Finding::Severity::note);
  EXPECT_NE(found->message.find(llvm ? "compiled by LLVM" : "do not run"), std::string::npos);
}

TEST(Native, VectorsThatDoNotExistAreNamed) {
  COLLET_NEEDS_LLVM();
  const test::Variables variables{{"COLLET_CPU_TIER", "native"}, {"COLLET_CPU_VECTORS", "mmx"}};
  const auto compiled = Device::open("cpu").value().compile(kSaxpy);
  ASSERT_FALSE(compiled);
  EXPECT_TRUE(compiled.error().message().starts_with(
      "COLLET_CPU_VECTORS (mmx) is none that this kind of processor has: host"))
      << compiled.error().message();
}

TEST(Native, LevelsOfAnotherKindOfProcessorAreRefusedByName) {
#if defined(__aarch64__)
  const char* const other = "sse2";
#else
  const char* const other = "neon";
#endif
  const test::Variables variables{{"COLLET_CPU_VECTORS", other}};
  const auto level = backend::cpu::native::find_level();
  ASSERT_FALSE(level);
  EXPECT_NE(level.error().message().find("(" + std::string(other) + ")"), std::string::npos)
      << level.error().message();
}

TEST(Native, HostIsALevelByName) {
  const test::Variables variables{{"COLLET_CPU_VECTORS", "host"}};
  EXPECT_EQ(backend::cpu::native::find_level().value(), Level::host);
}

TEST(Native, ATierThatDoesNotExistIsNamed) {
  const test::Variables variables{{"COLLET_CPU_TIER", "warp"}};
  auto device = Device::open("cpu").value();
  const auto compiled = device.compile(kSaxpy);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().message(), "COLLET_CPU_TIER (warp) is none of auto, interpreter and native.");
}

}  // namespace
}  // namespace collet
