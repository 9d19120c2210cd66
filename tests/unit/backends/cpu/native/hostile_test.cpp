// The CPU backend's native code and kernels that nobody should write: each gives the language's answer, or
// runs on the interpreter with the reason.

#include <collet/collet.hpp>

#include <functional>
#include <limits>

#include "unit/backends/cpu/native/launch.hpp"

namespace collet {
namespace {

using backend::cpu::native::Level;

class NativeHostile : public testing::Test {
 protected:
  void SetUp() override { COLLET_NEEDS_LLVM(); }
};

// Compiles on `level` and runs on both tiers, over `x` and a result of the same size.
template <class T, class Kernel>
void compare(const Kernel& kernel, const std::vector<T>& x, Level level) {
  Launch launch = launch_of(kernel.emit(Format::ir).value().bytes, {x.size(), 1, 1});
  launch.add_buffer(x);
  launch.add_buffer(std::vector<T>(x.size()));
  compare_tiers(std::move(launch), level);
}

template <class T>
void compare_integers() {
  const auto integers = kernel("integers", [](In<T> x, Out<T> y) {
    const auto i = global_id();
    const Expr<T> a = x[i];
    Var<T> sum = a;
    for (std::uint32_t k = 0; k < 8; ++k) {  // every value beside every other
      const Expr<T> b = x[(i + k) % 8u];
      sum = sum * T{31} + (a / b);
      sum = sum * T{31} + (a % b);
      sum = sum * T{31} + (a << b);
      sum = sum * T{31} + (a >> b);
    }
    y[i] = sum;
  });
  const std::vector<T> x{
      T{0},  T{1},  static_cast<T>(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T{31},
      T{64}, T{100}};
  for (const Level level : {Level::host, Level::scalar, Level::sse2, Level::neon}) {
    if (why_not(level).empty()) compare(integers, x, level);
  }
}

TEST_F(NativeHostile, DivisionByZeroAndShiftsOutOfRange) {
  compare_integers<std::int8_t>();
  compare_integers<std::uint16_t>();
  compare_integers<std::int32_t>();
  compare_integers<std::uint32_t>();
  compare_integers<std::int64_t>();
  compare_integers<std::uint64_t>();
}

TEST_F(NativeHostile, BlocksInBlocksInBlocks) {
  constexpr std::uint32_t kDepth = 180;  // of 200
  const auto nested = kernel("nested", [](In<std::uint32_t> x, Out<std::uint32_t> y) {
    const auto i = global_id();
    Var<std::uint32_t> sum = 0u;
    const std::function<void(std::uint32_t)> nest = [&](std::uint32_t depth) {
      sum += depth;
      if (depth == kDepth) return;
      if (depth % 2 == 0) {
        if_(x[i] > depth, [&] { nest(depth + 1); });
      } else {
        for_(0u, min(x[i], 1u), [&](auto) { nest(depth + 1); });
      }
    };
    nest(0);
    y[i] = sum;
  });
  std::vector<std::uint32_t> x(64);
  for (std::uint32_t i = 0; i < x.size(); ++i) x[i] = i * 3;
  compare(nested, x, Level::host);
}

// Runs y = kernel(x) natively if that is possible; gives the tier.
template <class Kernel>
std::string run_on_device(const Kernel& kernel, std::uint32_t expected) {
  auto device = Device::open("cpu", {.cpu_tier = CpuTier::native}).value();
  const auto x = device.upload(std::vector<std::uint32_t>(8, 1)).value();
  const auto y = device.buffer<std::uint32_t>(8).value();
  auto stream = device.stream();
  std::vector<std::uint32_t> host(8);
  stream.launch(kernel, 8, x, y);
  stream.download(y, std::span(host));
  const Receipt receipt = stream.wait().value();
  EXPECT_EQ(host, std::vector<std::uint32_t>(8, expected));
  return receipt.launches[0].facts->tier;
}

template <class Kernel>
std::string refusal(const Kernel& kernel) {
  const auto text = backend::cpu::native::write_text(ir::parse(kernel.emit(Format::ir).value().bytes).value(),
                                                     backend::cpu::native::kAvx512);
  return text ? "none" : text.error().message();
}

TEST_F(NativeHostile, ArraysThatNoStackHolds) {
  const auto huge = kernel("huge", [](In<std::uint32_t> x, Out<std::uint32_t> y) {
    const auto own = array<std::uint32_t>(250'000);
    own[x[global_id()] + 200'000u] = 7u;
    y[global_id()] = own[200'001u];
  });
  EXPECT_EQ(
      refusal(huge),
      "[Kernel \"huge\"] has private arrays of more than 65536 bytes, times the items, which native code "
      "does not cover yet.");
  EXPECT_EQ(run_on_device(huge, 7), "interpreter");
}

TEST_F(NativeHostile, AHundredThousandNodes) {
  const auto long_one = [](std::uint32_t rounds) {
    return kernel("long_one", [=](In<std::uint32_t> x, Out<std::uint32_t> y) {
      Var<std::uint32_t> sum = 0u;
      for (std::uint32_t k = 0; k < rounds; ++k) sum += x[global_id()];
      y[global_id()] = sum;
    });
  };
  EXPECT_EQ(run_on_device(long_one(2'000), 2'000), "native");
  const auto longest = long_one(20'000);
  EXPECT_EQ(refusal(longest),
            "[Kernel \"long_one\"] has more than 40000 nodes, times the vectors side by side, which "
            "native code does not cover yet.");
  EXPECT_EQ(run_on_device(longest, 20'000), "interpreter");
}

// LLVM 15 ends the process over the upper half of such a product, and makes one of what looks like it.
TEST_F(NativeHostile, OneLaneComputesWithScalars) {
  const auto products = kernel("products", [](InOut<std::int32_t> x) {
    const auto id = global_id();
    const auto a = cast<std::int16_t>(x[id]);
    x[id] = cast<std::int32_t>(mul_high(a, a)) + min(x[id + 1u], 7) * 5;
  });
  const std::string text =
      backend::cpu::native::write_text(ir::parse(products.emit(Format::ir).value().bytes).value(),
                                       backend::cpu::native::kScalar)
          .value();
  for (const char* operation : {"mul <1 x i32", "lshr <1 x", "sext <1 x", "trunc <1 x i32"})
    EXPECT_EQ(text.find(operation), std::string::npos) << text.substr(text.find(operation), 80);
  EXPECT_NE(text.find("mul i32"), std::string::npos);
}

// LLVM's way to refuse what it cannot compile. Nothing that Collet writes should be such a kernel.
TEST_F(NativeHostile, LastWordsNameTheKernel) {
  using namespace backend::cpu::native;
  const Llvm& llvm = *load_llvm().value();
  const auto machine = find_machine(llvm, Level::host).value();
#if defined(__aarch64__) || defined(_M_ARM64)
  const std::string elsewhere = "@llvm.x86.sse2.mfence()";
#else
  const std::string elsewhere = "@llvm.aarch64.clrex()";
#endif
  const std::string text = "declare void " + elsewhere + "\ndefine void @kernel(ptr %frame) {\n  call void " +
                           elsewhere + "\n  ret void\n}\n";
  const std::string name = "strange";
  const auto compile = [&] {
    const Compiling compiling(name);
    static_cast<void>(Code::compile(llvm, machine, text));
  };
  EXPECT_DEATH(compile(),
               "LLVM ends this process while it compiles kernel .strange.. COLLET_CPU_TIER.*Cannot select");
}

}  // namespace
}  // namespace collet
