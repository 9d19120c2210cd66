// Modules: which flavour a SPIR-V module is of, and what kernels keep of a module that is filled further.

#include <gtest/gtest.h>

#include "collet/collet.hpp"
#include "core/kernel_state.hpp"

namespace collet {
namespace {

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::uint32_t kCapability = 2u << 16 | 17;
constexpr std::uint32_t kShader = 1;
constexpr std::uint32_t kKernel = 6;

Format flavour(const std::vector<std::uint32_t>& instructions) {
  std::vector<std::uint32_t> words{kMagic, 0x00010000, 0, 1, 0};
  words.insert(words.end(), instructions.begin(), instructions.end());
  Module module;
  module.spirv(words);
  return module.state()->codes.at(0).format;
}

TEST(Module, SpirvItselfSaysItsFlavour) {
  EXPECT_EQ(flavour({kCapability, kKernel}), Format::spirv_kernel);
  EXPECT_EQ(flavour({kCapability, 4, kCapability, kKernel}), Format::spirv_kernel);
  EXPECT_EQ(flavour({kCapability, 4, kCapability, 11, kCapability, kKernel, 0}), Format::spirv_kernel);
  EXPECT_EQ(flavour({kCapability, kShader}), Format::spirv_shader);
  // Only what is declared counts.
  EXPECT_EQ(flavour({kCapability, kShader, 3u << 16 | 14, kCapability, kKernel}), Format::spirv_shader);
  EXPECT_EQ(flavour({}), Format::spirv_shader);
  EXPECT_EQ(flavour({kCapability}), Format::spirv_shader);
}

TEST(Module, KernelsKeepTheCodeThatTheyWereMadeFrom) {
  Module module("shared");
  module.opencl("one");
  const auto kernel = KernelSource<Out<float>>("k", module).kernel();
  module.glsl("two");
  EXPECT_EQ(kernel.state()->module->codes.size(), 1u);
  EXPECT_EQ(kernel.state()->module->label, "shared");
  ASSERT_EQ(module.state()->codes.size(), 2u);
  EXPECT_EQ(module.state()->label, "shared");
  EXPECT_EQ(module.state()->codes[0].bytes, "one");
  const Module copy = module;
  module.wgsl("three");
  EXPECT_EQ(copy.state()->codes.size(), 2u);
}

TEST(Module, TwoCodesInOneLanguageAreRefused) {
  const Device device = Device::open("null").value();
  Module module;
  module.ptx("a", "sm_70").ptx("b", "sm_75").opencl("one");
  EXPECT_TRUE(device.compile(KernelSource<Out<float>>("k", module).kernel()));
  module.ptx("c", "sm_75");
  const auto compiled = device.compile(KernelSource<Out<float>>("k", module).kernel());
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(compiled.error().cause(), Cause::duplicate_kernel);
  EXPECT_EQ(compiled.error().message(),
            "[Kernel \"k\"] has two codes in PTX for sm_75 (numbers 1 and 3 of those that it was given).");
}

// A kernel that is given as IR says itself what it takes; a signature beside it could say something else.
TEST(Module, IrIsNoCodeOfAModule) {
  const Device device = Device::open("cpu").value();
  Module module;
  module.add(
      Format::ir,
      "kernel k group(1, 1, 1) {\n  buffer a: f32 inout\n  buffer b: f32 inout\n  buffer c: f32 inout\n"
      "  %0: u32 = global_id 0\n  %1: f32 = load a[%0]\n  store c[%0], %1\n}\n");
  const auto kernel = KernelSource<InOut<float>>("k", module).kernel();
  const auto compiled = device.compile(kernel);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(compiled.error().message(),
            "[Kernel \"k\"] has IR among its codes, which a module does not take.");
  EXPECT_EQ(compiled.error().hint(),
            "Read it by AnyKernel::parse(), which takes the signature from the text.");
}

}  // namespace
}  // namespace collet
