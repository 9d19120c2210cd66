// The emitters: what they write is valid and stays as it was reviewed, and what a target lacks is refused by
// name.

#include "kernel/emit/emit.hpp"

#include <gtest/gtest.h>
#include <spirv-tools/libspirv.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backends/common/spirv.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::emit {
namespace {

using backend::common::SpirvTarget;
using backend::common::validate_spirv;

const Target kRich{.name = "rich",
                   .int64 = true,
                   .float64 = true,
                   .int64_atomics = true,
                   .storage8 = true,
                   .storage16 = true,
                   .fused_multiply_add = true,
                   .subgroups = true,
                   .subgroup_arithmetic = true,
                   .subgroup_vote = true,
                   .subgroup_broadcast = true,
                   .subgroup_shuffle = true,
                   .subgroup_int64 = true};
const Target kPoor{.name = "poor"};

ir::Kernel parsed(std::string_view text) {
  ir::Kernel kernel = ir::parse(text).value();
  ir::verify(kernel).value();
  return kernel;
}

std::string body(std::string_view element, std::string_view statements) {
  return "kernel k group(64, 1, 1) {\n  buffer x: " + std::string(element) + " inout\n" +
         std::string(statements) + "}\n";
}

constexpr std::string_view kSaxpy = R"(kernel saxpy group(64, 1, 1) {
  buffer x: f32 in
  buffer y: f32 inout
  value a: f32
  %0: u32 = global_id 0
  %1: u32 = element_count 0
  %2: bool = lt %0, %1
  if %2 {
    %3: f32 = load x[%0]
    %4: f32 = parameter a
    %5: f32 = mul %4, %3
    %6: f32 = load y[%0]
    %7: f32 = add %5, %6
    store y[%0], %7
  }
}
)";

constexpr std::string_view kSum = R"(kernel sum group(64, 1, 1) {
  buffer x: u32 in
  buffer out: u32 inout
  workgroup tile: u32 [64]
  %0: u32 = local_id 0
  %1: u32 = global_id 0
  %2: u32 = load x[%1]
  store tile[%0], %2
  barrier
  %3: u32 = constant 0
  %4: u32 = constant 1
  %5: u32 = constant 64
  %6: bool = eq %0, %3
  if %6 {
    %7: u32 = variable
    %8: u32 = range %3, %5, %4 {
      %9: u32 = load tile[%8]
      %10: u32 = get %7
      %11: u32 = add %10, %9
      set %7, %11
    }
    %12: u32 = get %7
    %13: u32 = atomic_add out[%3], %12
  }
}
)";

constexpr std::string_view kStruct = R"(kernel particles group(32, 1, 1) {
  buffer p: bytes(12) inout
  value settings: bytes(8, 4)
  %0: u32 = global_id 0
  %1: f32x2 = load p[%0]
  %2: u16 = load p[%0]+8
  %3: f32 = parameter settings+4
  %4: f32x2 = compose %3, %3
  %5: f32x2 = mul %1, %4
  store p[%0], %5
  %6: i32 = convert %3
  %7: i32 = convert %2
  %8: i32 = div %6, %7
  %9: u16 = convert %8
  store p[%0]+8, %9
}
)";

// A range, a range by 3, and a loop whose condition its body uses too; branches on conditions that are used
// once and twice.
constexpr std::string_view kLoops = R"(kernel loops group(64, 1, 1) {
  buffer x: u32 inout
  value n: u32
  %0: u32 = global_id 0
  %1: u32 = parameter n
  %2: u32 = constant 0
  %3: u32 = constant 1
  %4: u32 = constant 3
  %5: u32 = variable
  %6: u32 = range %2, %1, %3 {
    %7: u32 = load x[%6]
    %8: bool = lt %7, %0
    %9: bool = gt %7, %4
    %10: bool = bit_and %8, %9
    if %10 {
      continue
    }
    set %5, %7
  }
  %11: u32 = range %2, %1, %4 {
    %12: bool = lt %11, %0
    if %12 {
      store x[%11], %11
    }
    if %12 {
      set %5, %11
    }
  }
  loop {
    %13: u32 = get %5
    %14: bool = lt %13, %1
    %15: bool = bit_not %14
    if %15 {
      break
    }
    %16: u32 = add %13, %3
    set %5, %16
  }
  %17: u32 = get %5
  store x[%0], %17
}
)";

std::string disassembled(const std::string& bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
  spv_text text = nullptr;
  spvBinaryToText(context, words.data(), words.size(), SPV_BINARY_TO_TEXT_OPTION_NO_HEADER, &text, nullptr);
  std::string made = text != nullptr ? std::string(text->str, text->length) : "no SPIR-V";
  spvTextDestroy(text);
  spvContextDestroy(context);
  return made;
}

// Compares with tests/golden/emit/NAME, or writes it where COLLET_UPDATE_GOLDEN is set.
void expect_golden(const std::string& name, const std::string& found) {
  const std::filesystem::path path = std::filesystem::path(COLLET_GOLDEN) / "emit" / name;
  if (std::getenv("COLLET_UPDATE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << found;
  }
  std::stringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(found, expected.str()) << path << "; COLLET_UPDATE_GOLDEN=1 writes it.";
}

void expect_valid(const ir::Kernel& kernel, const Target& target) {
  const auto shader = emit_spirv_shader(kernel, target);
  ASSERT_TRUE(shader) << shader.error().describe();
  const auto valid = validate_spirv(std::as_bytes(std::span(shader->bytes)), SpirvTarget::vulkan_1_1);
  EXPECT_TRUE(valid) << valid.error().describe() << disassembled(shader->bytes);
  const auto binary = emit_spirv_kernel(kernel, target);
  ASSERT_TRUE(binary) << binary.error().describe();
  const auto checked = validate_spirv(std::as_bytes(std::span(binary->bytes)), SpirvTarget::opencl);
  EXPECT_TRUE(checked) << checked.error().describe() << disassembled(binary->bytes);
}

TEST(Emit, WhatWasReviewedIsStillWritten) {
  const std::pair<const char*, std::string_view> kernels[] = {
      {"saxpy", kSaxpy}, {"sum", kSum}, {"particles", kStruct}, {"loops", kLoops}};
  for (const auto& [name, text] : kernels) {
    const ir::Kernel kernel = parsed(text);
    expect_golden(std::string(name) + ".cl", emit_opencl_c(kernel, kPoor).value().bytes);
    expect_golden(std::string(name) + ".spvasm",
                  disassembled(emit_spirv_shader(kernel, kPoor).value().bytes));
  }
}

TEST(Emit, ModulesAreValidForRichAndPoorTargets) {
  for (const std::string_view text : {kSaxpy, kSum, kStruct}) {
    expect_valid(parsed(text), kPoor);
    expect_valid(parsed(text), kRich);
  }
}

TEST(Emit, BranchesThatAllLeaveAreValid) {
  expect_valid(parsed(body("u32",
                           "  %0: u32 = global_id 0\n  %1: u32 = load x[%0]\n  %2: bool = eq %0, %1\n"
                           "  loop {\n    if %2 {\n      break\n    } else {\n      return\n    }\n"
                           "    store x[%0], %0\n  }\n  store x[%0], %1\n")),
               kPoor);
}

TEST(Emit, WhatATargetLacksIsRefusedByName) {
  const auto refusal = [](const std::string& text, auto emit) {
    const auto made = emit(parsed(text), kPoor);
    if (made) return std::string("accepted");
    EXPECT_EQ(made.error().code(), ErrorCode::unsupported);
    return made.error().message();
  };
  const std::string wide = body("u64", "  %0: u32 = constant 0\n  %1: u64 = load x[%0]\n  store x[%0], %1\n");
  const std::string doubles =
      body("f64", "  %0: u32 = constant 0\n  %1: f64 = load x[%0]\n  store x[%0], %1\n");
  const std::string fused =
      body("f32",
           "  %0: u32 = constant 0\n  %1: f32 = load x[%0]\n  %2: f32 = fma %1, %1, %1\n  store x[%0], %2\n");
  EXPECT_EQ(refusal(wide, &emit_spirv_shader), "[Kernel \"k\"] needs 64-bit integers, which poor lacks.");
  EXPECT_EQ(refusal(wide, &emit_opencl_c), "[Kernel \"k\"] needs 64-bit integers, which poor lacks.");
  EXPECT_EQ(refusal(doubles, &emit_spirv_kernel), "[Kernel \"k\"] needs 64-bit floats, which poor lacks.");
  EXPECT_EQ(refusal(fused, &emit_spirv_shader),
            "[Kernel \"k\"] needs a fused multiply-add of f32, which poor lacks.");
  EXPECT_EQ(refusal(fused, &emit_opencl_c), "accepted");
}

TEST(Emit, SubgroupsAreForShadersOnly) {
  const ir::Kernel kernel =
      parsed(body("u32", "  %0: u32 = global_id 0\n  %1: u32 = subgroup_add %0\n  store x[%0], %1\n"));
  const auto shader = emit_spirv_shader(kernel, kRich).value();
  EXPECT_TRUE(validate_spirv(std::as_bytes(std::span(shader.bytes)), SpirvTarget::vulkan_1_1));
  const auto refused = emit_spirv_kernel(kernel, kRich);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::unsupported);
}

TEST(Emit, EachKindOfSubgroupOperationIsRefusedByItsName) {
  const auto refusal = [](std::string_view statement, Target target) {
    const ir::Kernel kernel =
        parsed(body("u32", "  %0: u32 = global_id 0\n  %1: u64 = convert %0\n  %2: bool = lt %0, %0\n" +
                               std::string(statement) + "  store x[%0], %0\n"));
    target.name = "it";
    const auto code = emit_spirv_shader(kernel, target);
    return code ? std::string("accepted") : code.error().message();
  };
  const auto without = [](bool Target::* feature) {
    Target target = kRich;
    target.*feature = false;
    return target;
  };
  const struct {
    std::string statement, needs;
    bool Target::* feature;
  } rows[] = {
      {"%3: u32 = subgroup_lane 0\n  store x[%0], %3\n", "subgroups", &Target::subgroups},
      {"%3: u32 = subgroup_min %0\n  store x[%0], %3\n", "subgroup arithmetic", &Target::subgroup_arithmetic},
      {"%3: bool = subgroup_any %2\n  %4: u32 = convert %3\n  store x[%0], %4\n", "subgroup votes",
       &Target::subgroup_vote},
      {"%3: u32 = subgroup_broadcast_first %0\n  store x[%0], %3\n", "subgroup broadcasts",
       &Target::subgroup_broadcast},
      {"%3: u32 = subgroup_shuffle %0, %0\n  store x[%0], %3\n", "subgroup shuffles",
       &Target::subgroup_shuffle},
      {"%3: u64 = subgroup_add %1\n  %4: u32 = convert %3\n  store x[%0], %4\n",
       "subgroups of 64-bit integers", &Target::subgroup_int64},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(refusal("  " + row.statement, kRich), "accepted") << row.needs;
    EXPECT_EQ(refusal("  " + row.statement, without(row.feature)),
              "[Kernel \"k\"] needs " + row.needs + ", which it lacks.");
  }
}

TEST(Emit, GuardsVanishWhereAConstantProvesThemNeedless) {
  const auto text = [](const std::string& divisor) {
    const std::string code =
        body("i32", "  %0: u32 = global_id 0\n  %1: i32 = load x[%0]\n" + divisor +
                        "  %3: i32 = div %1, %2\n  %4: i32 = shl %3, %2\n  store x[%0], %4\n");
    return emit_opencl_c(parsed(code), kPoor).value().bytes;
  };
  EXPECT_EQ(text("  %2: i32 = constant 5\n").find('?'), std::string::npos);
  EXPECT_EQ(text("  %2: i32 = constant 5\n").find('&'), std::string::npos);
  EXPECT_NE(text("  %2: i32 = load x[%0]\n").find('?'), std::string::npos);
  EXPECT_NE(text("  %2: i32 = load x[%0]\n").find("& 31"), std::string::npos);
}

TEST(Emit, CountsAndLengthsAreAskedForInOrder) {
  const std::string text =
      "kernel k group(8, 8, 1) {\n  buffer x: u8 in\n  buffer y: f32x3 out\n  value a: f32\n"
      "  %0: u32 = element_count 1\n  %1: u32 = length x\n  %2: u32 = length y\n  %3: u32 = add %0, %1\n"
      "  %4: u32 = add %3, %2\n  %5: f32 = convert %4\n  store y[%4], %5\n}\n";
  const ir::Kernel kernel = parsed(text);
  const Emitted opencl = emit_opencl_c(kernel, kPoor).value();
  EXPECT_EQ(opencl.counts, std::vector<std::uint32_t>{1});
  EXPECT_EQ(opencl.lengths, (std::vector<std::uint32_t>{0, 1}));
  // Vulkan knows the length of y itself; that of x was rounded up to words.
  const Emitted shader = emit_spirv_shader(kernel, kPoor).value();
  EXPECT_EQ(shader.lengths, std::vector<std::uint32_t>{0});
}

TEST(Emit, AKernelCalledLikeAWordOfTheLanguageIsRefused) {
  const ir::Kernel kernel = parsed("kernel kernel group(1, 1, 1) {\n  buffer x: u32 in\n}\n");
  ASSERT_FALSE(emit_opencl_c(kernel, kPoor));
  EXPECT_TRUE(emit_spirv_shader(kernel, kPoor));
}

}  // namespace
}  // namespace collet::emit
