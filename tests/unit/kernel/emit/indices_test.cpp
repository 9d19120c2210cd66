// What checks of indices cost: nothing in kernels whose launches keep every index inside.

#include <gtest/gtest.h>

#include <algorithm>

#include "built_in/kernels.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/guard.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/ir/text.hpp"

namespace collet::emit {
namespace {

// A kernel and a launch that just fits its buffers.
struct Case {
  const char* name;
  std::string text;
  std::array<std::uint64_t, 2> elements;
  std::vector<std::uint32_t> scalars;
  std::vector<std::uint64_t> lengths;
};

template <class Kernel>
std::string text_of(const Kernel& kernel) {
  return kernel.emit(Format::ir).value().bytes;
}

std::vector<Case> cases() {
  constexpr std::uint32_t kWidth = 48;
  constexpr std::uint32_t kHeight = 32;
  constexpr std::uint64_t kCells = kWidth * kHeight;
  return {{"vector_add", text_of(built_in::vector_add()), {1000, 1}, {}, {1000, 1000, 1000}},
          {"saxpy", text_of(built_in::saxpy()), {1000, 1}, {0}, {1000, 1000}},
          {"reduce_sum", text_of(built_in::reduce_sum()), {1000, 1}, {}, {1000, 4}},
          {"matmul", text_of(built_in::matmul()), {kWidth, kWidth}, {kWidth}, {2304, 2304, 2304}},
          {"stencil", text_of(built_in::stencil()), {kWidth, kHeight}, {kWidth, kHeight}, {kCells, kCells}},
          {"histogram", text_of(built_in::histogram()), {1000, 1}, {}, {1000, 1}},
          {"mandelbrot", text_of(built_in::mandelbrot()), {kWidth, kHeight}, {kWidth, kHeight, 9}, {kCells}}};
}

Emitted emitted(const Case& one, const Target& target) {
  const auto kernel = ir::parse(one.text);
  EXPECT_TRUE(kernel) << kernel.error().message();
  auto made = emit_opencl_c(guard(*kernel), target);
  EXPECT_TRUE(made) << made.error().message();
  return *std::move(made);
}

bool keeps_trust(const Case& one, const Emitted& code) {
  using What = ir::Ceiling::What;
  const auto group = ir::parse(one.text)->group;
  const auto leaf = [&](const ir::Ceiling& term) -> std::uint64_t {
    switch (term.what) {
      case What::element_count: return one.elements[term.a];
      case What::group_count: return (one.elements[term.a] + group[term.a] - 1) / group[term.a];
      case What::length: return one.lengths[term.a];
      default: return one.scalars[term.a];
    }
  };
  return are_kept(code.trusts, code.terms, leaf);
}

// A driver may load whatever branch the load stands in.
TEST(EmittedIndices, AnAtomicLoadStandsInNoBranch) {
  const auto kernel = ir::parse(
      "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  %0: u32 = constant 134217731\n"
      "  %1: u32 = atomic_load x[%0]\n  store x[%1], %1\n}\n");
  ASSERT_TRUE(kernel) << kernel.error().message();
  const std::string text = ir::print(lower_indices(*kernel, {}).kernel);
  const std::size_t load = text.find("atomic_load");
  EXPECT_LT(text.find("select"), load) << text;
  EXPECT_LT(load, text.find("if ")) << text;
  EXPECT_EQ(text.find("atomic_load x[%0]"), std::string::npos) << text;
}

// Each bound is twice the one around it, so that a term that is asked for twice would be asked for 2^48
// times.
TEST(EmittedIndices, TermsThatShareTermsAreAnsweredAtOnce) {
  constexpr int kDepth = 48;
  std::string text =
      "kernel deep group(64, 1, 1) {\n  buffer x: u32 inout\n  value n: u32\n"
      "  %0: u32 = global_id 0\n  %1: u32 = parameter n\n";
  int last = 1;  // the bound
  for (int i = 0; i < kDepth; ++i) {
    const auto value = [&](int more) { return "%" + std::to_string(last + more); };
    text += value(1) + ": u32 = load x[%0]\n" + value(2) + ": bool = lt " + value(1) + ", " + value(0) +
            "\nif " + value(2) + " {\n" + value(3) + ": u32 = add " + value(1) + ", " + value(1) + "\n";
    last += 3;
  }
  text += "store x[%" + std::to_string(last) + "], %0\n" + std::string(kDepth, '}') + "}\n";
  const Case deep{.name = "deep", .text = text, .elements = {64, 1}, .scalars = {1}, .lengths = {64}};
  const Emitted code = emitted(deep, {.trusts_launches = true});
  EXPECT_FALSE(code.trusts.empty());
  EXPECT_TRUE(keeps_trust(deep, code));
}

TEST(EmittedIndices, NoCheckIsLeftThatALaunchAnswers) {
  for (const Case& one : cases()) {
    const Emitted code = emitted(one, {.trusts_launches = true});
    const Emitted bare =
        emitted(one, {.checks_buffers = false, .checks_groups = false, .checks_items = false});
    EXPECT_EQ(code.bytes, bare.bytes) << one.name;
    EXPECT_EQ(code.lengths, bare.lengths) << one.name;
    EXPECT_TRUE(keeps_trust(one, code)) << one.name;
    EXPECT_TRUE(bare.trusts.empty()) << one.name;
  }
}

TEST(EmittedIndices, ALaunchWithOneElementLessIsNotTrusted) {
  for (const Case& one : cases()) {
    const Emitted code = emitted(one, {.trusts_launches = true});
    EXPECT_FALSE(code.trusts.empty()) << one.name;
    for (const Trust& trust : code.trusts) {
      Case less = one;
      --less.lengths[trust.buffer];
      EXPECT_FALSE(keeps_trust(less, code)) << one.name << ", buffer " << trust.buffer;
    }
  }
}

TEST(EmittedIndices, WithoutTrustEveryAccessIsChecked) {
  for (const Case& one : cases()) {
    const Emitted checked = emitted(one, {});
    EXPECT_TRUE(checked.trusts.empty()) << one.name;
    EXPECT_FALSE(checked.lengths.empty()) << one.name;
    EXPECT_NE(checked.bytes, emitted(one, {.trusts_launches = true}).bytes) << one.name;
  }
}

}  // namespace
}  // namespace collet::emit
