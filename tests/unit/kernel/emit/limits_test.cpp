// Kernels beyond a driver's limits: parts of grids, loops that are watched, names, a conversion that is
// wrong.

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "backends/common/spirv.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/parts.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::emit {
namespace {

using backend::common::SpirvTarget;
using backend::common::validate_spirv;

ir::Kernel parsed(const std::string& statements) {
  ir::Kernel kernel =
      ir::parse("kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  value n: u32\n" + statements + "}\n")
          .value();
  ir::verify(kernel).value();
  return kernel;
}

Emitted shader(const ir::Kernel& kernel, const Target& target) {
  auto made = emit_spirv_shader(kernel, target).value();
  EXPECT_TRUE(validate_spirv(std::as_bytes(std::span(made.bytes)), SpirvTarget::vulkan_1_1));
  return made;
}

std::string loop_over(const std::string& end) {
  return "  %0: u32 = global_id 0\n  %1: u32 = constant 0\n" + end +
         "  %3: u32 = constant 1\n  %4: u32 = range %1, %2, %3 {\n    store x[%0], %4\n  }\n";
}

}  // namespace

TEST(EmitParts, OnlyWhatTheKernelUsesIsPassed) {
  using What = PartWord::What;
  const Parted none = in_parts(parsed("  %0: u32 = local_id 0\n  store x[%0], %0\n"));
  EXPECT_TRUE(none.words.empty());

  const Parted some =
      in_parts(parsed("  %0: u32 = global_id 0\n  %1: u32 = group_count 2\n  %2: u32 = group_id 1\n"
                      "  %3: u32 = add %1, %2\n  store x[%0], %3\n"));
  ASSERT_EQ(some.words.size(), 3u);
  EXPECT_EQ(some.words[0].what, What::first_group);
  EXPECT_EQ(some.words[0].dimension, 0u);
  EXPECT_EQ(some.words[1].what, What::first_group);
  EXPECT_EQ(some.words[1].dimension, 1u);
  EXPECT_EQ(some.words[2].what, What::group_count);
  EXPECT_EQ(some.words[2].dimension, 2u);
  EXPECT_EQ(some.kernel.parameters.size(), 4u);  // behind the kernel's own
  EXPECT_TRUE(ir::verify(some.kernel));
  shader(some.kernel, {});
}

TEST(EmitWatch, LoopsThatCanNotBeShownToBeShortAreWatched) {
  const Target cutting{.loop_rounds = 65'535};
  const auto watched = [&](const std::string& end) {
    return shader(parsed(loop_over(end)), cutting).watched;
  };
  EXPECT_FALSE(watched("  %2: u32 = constant 60000\n"));
  EXPECT_TRUE(watched("  %2: u32 = constant 65536\n"));
  EXPECT_TRUE(watched("  %2: u32 = parameter n\n"));
  EXPECT_FALSE(shader(parsed(loop_over("  %2: u32 = parameter n\n")), {}).watched);
}

TEST(EmitNames, TextTakesTheEntryThatTheTargetAsksFor) {
  ir::Kernel kernel = parsed("  %0: u32 = global_id 0\n  store x[%0], %0\n");
  kernel.name = "mix";
  const auto code = emit_opencl_c(kernel, {.entry = "collet_mix"}).value();
  EXPECT_NE(code.bytes.find("void collet_mix("), std::string::npos) << code.bytes;
  EXPECT_EQ(code.entry, "collet_mix");
  EXPECT_NE(emit_opencl_c(kernel, {}).value().bytes.find("void mix("), std::string::npos);
}

TEST(EmitFloats, AWrongConversionIsDoneInAnotherWay) {
  const ir::Kernel kernel = parsed(
      "  %0: u32 = global_id 0\n  %1: u32 = load x[%0]\n  %2: f32 = convert %1\n  %3: u32 = bitcast %2\n"
      "  store x[%0], %3\n");
  const auto right = emit_opencl_c(kernel, {.name = "right"}).value().bytes;
  const auto wrong =
      emit_opencl_c(kernel, {.name = "wrong", .workarounds = {Workaround::u32_through_i32}}).value().bytes;
  EXPECT_EQ(right.find("as_int"), std::string::npos) << right;
  EXPECT_NE(wrong.find("as_int"), std::string::npos) << wrong;
}

}  // namespace collet::emit
