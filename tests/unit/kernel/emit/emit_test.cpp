// The emitters: what they write is valid and stays as it was reviewed, and what a target lacks is refused by
// name.

#include "kernel/emit/emit.hpp"

#include <gtest/gtest.h>

#include <span>
#include <utility>

#include "backends/common/spirv.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"
#include "unit/golden.hpp"

namespace collet::emit {
namespace {

using backend::common::spirv_remark;
using backend::common::spirv_text;
using backend::common::SpirvTarget;
using backend::common::validate_spirv;
using ir::Op;

const Target kRich{.name = "rich",
                   .int64 = true,
                   .float64 = true,
                   .int64_atomics = true,
                   .float32_atomics = true,
                   .storage8 = true,
                   .storage16 = true,
                   .fused_multiply_add = true,
                   .device_fences = true,
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

// What the three above have not: every kind of memory, value, literal and statement.
constexpr std::string_view kMixed = R"(kernel mixed group(8, 4, 2) {
  buffer b: u8 in may_alias
  value settings: bytes(24, 8)
  buffer h: f16 inout
  value small: i16
  buffer d: f64 inout
  value wide: u64
  buffer l: i64 inout
  buffer c: u32 inout
  workgroup tile: u16 [96]
  item own: f32 [5]
  %0: u32 = global_id 1
  %1: u32 = group_size 2
  %2: u32 = group_count 0
  %3: u32 = group_id 1
  %4: u32 = local_id 2
  %5: u8 = load b[%0]
  %6: f16 = load h[%1]
  %7: f64 = parameter settings+8
  %8: i16 = parameter small
  %9: u64 = parameter wide
  %10: i64 = load l[%2]
  %11: i8 = bitcast %5
  %12: i64 = convert %11
  %13: i64 = rem %10, %12
  %14: i64 = mul_high %13, %10
  %15: u32 = parameter settings+20
  %16: f32 = convert %6
  %17: f32 = constant 0xff800000
  %18: f32 = constant -2.5
  %19: f32 = max %16, %17
  %20: f32 = fma %19, %18, %16
  %21: i32 = constant -2147483648
  %22: i32 = convert %20
  %23: i32 = sub %22, %21
  %24: i32 = abs %23
  %25: f32 = convert %24
  store own[%4], %25
  %26: u16 = convert %9
  store tile[%4], %26
  barrier
  %27: u32 = variable
  %28: u32 = constant 3
  %29: u32 = constant 96
  %30: u32 = range %3, %29, %28 {
    %31: u16 = load tile[%30]
    %32: u32 = convert %31
    %33: bool = gt %32, %15
    if %33 {
      continue
    } else {
      %34: u32 = get %27
      %35: u32 = add %34, %32
      %36: bool = eq %35, %28
      if %36 {
        break
      }
      set %27, %35
    }
  }
  %37: u32 = get %27
  %38: u32 = length b
  %39: u32 = element_count 2
  %40: u32 = shl %37, %38
  %41: u32 = reverse_bits %40
  %42: u32 = leading_zeros %41
  %43: f32 = load own[%42]
  %44: f32 = rem %43, %18
  %45: f16 = convert %44
  %46: f16 = mul %45, %6
  store h[%39], %46
  %47: f64 = convert %42
  %48: f64 = mul %47, %7
  store d[%0], %48
  %49: u64 = count_bits %9
  %50: i64 = bitcast %49
  %51: i64 = add %50, %14
  store l[%2], %51
  %52: u32 = atomic_max c[%0], %42
  %56: u32 = atomic_compare_exchange c[%1], %52, %40
  %53: f32x2 = compose %44, %43
  %54: f32x2 = sqrt %53
  %55: f32 = extract %54, 1
  store own[%0], %55
  fence device
  return
}
)";

// What a subgroup's items do together, and atomic operations of 64 bits.
constexpr std::string_view kTogether = R"(kernel together group(32, 1, 1) {
  buffer x: i32 inout
  buffer n: u64 inout
  %0: u32 = global_id 0
  %1: i32 = load x[%0]
  %2: i32 = subgroup_add %1
  %3: i32 = subgroup_min %2
  %4: i32 = subgroup_max %3
  %5: i32 = subgroup_scan_add %4
  %6: i32 = subgroup_and %5
  %7: i32 = subgroup_or %6
  %8: u32 = subgroup_lane 0
  %9: u32 = subgroup_size 0
  %10: u32 = subgroup_id 0
  %11: i32 = subgroup_shuffle %7, %9
  %12: i32 = subgroup_broadcast_first %11
  %13: bool = lt %8, %10
  %14: bool = subgroup_any %13
  %15: bool = subgroup_all %14
  %16: f32 = convert %12
  %17: f32 = subgroup_min %16
  %18: u32 = convert %17
  %19: u32 = subgroup_max %18
  %20: u64 = load n[%19]
  %21: u64 = subgroup_add %20
  %22: bool = bit_not %15
  if %22 {
    %23: u64 = atomic_max n[%0], %21
    %24: u64 = atomic_compare_exchange n[%0], %23, %20
  }
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
  return spirv_text(std::as_bytes(std::span(bytes))).value();
}

void expect_golden(const std::string& name, const std::string& found) {
  test::expect_golden("emit/" + name, found);
}

void expect_valid(const ir::Kernel& kernel, const Target& target) {
  if (!spirv_remark().empty()) GTEST_SKIP() << spirv_remark();
  const auto shader = emit_spirv_shader(kernel, target);
  ASSERT_TRUE(shader) << shader.error().describe();
  const auto valid = validate_spirv(std::as_bytes(std::span(shader->bytes)), SpirvTarget::vulkan_1_1);
  EXPECT_TRUE(valid) << valid.error().describe() << disassembled(shader->bytes);
  const auto binary = emit_spirv_kernel(kernel, target);
  ASSERT_TRUE(binary) << binary.error().describe();
  const auto checked = validate_spirv(std::as_bytes(std::span(binary->bytes)), SpirvTarget::opencl);
  EXPECT_TRUE(checked) << checked.error().describe() << disassembled(binary->bytes);
}

struct Reviewed {
  const char* name;
  std::string_view text;
  const Target& target;
};
const Reviewed kReviewed[] = {{"saxpy", kSaxpy, kPoor},      {"sum", kSum, kPoor},
                              {"particles", kStruct, kPoor}, {"loops", kLoops, kPoor},
                              {"mixed", kMixed, kRich},      {"together", kTogether, kRich}};

TEST(Emit, OpenClThatWasReviewedIsStillWritten) {
  for (const auto& [name, text, target] : kReviewed)
    expect_golden(std::string(name) + ".cl", emit_opencl_c(parsed(text), target).value().bytes);
}

TEST(Emit, GlslThatWasReviewedIsStillWritten) {
  for (const auto& [name, text, target] : kReviewed)
    expect_golden(std::string(name) + ".comp", emit_glsl_vulkan(parsed(text), target).value().bytes);
}

// What the language can say; a refusal is a line of its own.
TEST(Emit, EveryDialectThatWasReviewedIsStillWritten) {
  constexpr std::pair<Format, const char*> kDialects[] = {{Format::cuda, ".cu"},   {Format::hip, ".hip"},
                                                          {Format::glsl, ".glsl"}, {Format::glsl_es, ".gles"},
                                                          {Format::wgsl, ".wgsl"}, {Format::msl, ".metal"}};
  for (const auto& [name, text, target] : kReviewed) {
    for (const auto& [format, extension] : kDialects) {
      const auto code = emit(format, parsed(text), target_of_language(format));
      expect_golden(std::string(name) + extension, code ? code->bytes : code.error().message() + "\n");
    }
  }
}

TEST(Emit, AWatchedLoopThatWasReviewedIsStillWritten) {
  Target cutting = kRich;
  cutting.loop_rounds = 10;
  expect_golden("sum.watched.cl", emit_opencl_c(parsed(kSum), cutting).value().bytes);
}

TEST(Emit, SpirvThatWasReviewedIsStillWritten) {
  if (!spirv_remark().empty()) GTEST_SKIP() << spirv_remark();
  for (const auto& [name, text, target] : kReviewed) {
    expect_golden(std::string(name) + ".spvasm",
                  disassembled(emit_spirv_shader(parsed(text), target).value().bytes));
    if (text == kTogether) continue;  // subgroup operations are not in that flavour
    expect_golden(std::string(name) + ".kernel.spvasm",
                  disassembled(emit_spirv_kernel(parsed(text), target).value().bytes));
  }
}

TEST(Emit, ModulesAreValidForRichAndPoorTargets) {
  for (const std::string_view text : {kSaxpy, kSum, kStruct}) {
    expect_valid(parsed(text), kPoor);
    expect_valid(parsed(text), kRich);
  }
  expect_valid(parsed(kMixed), kRich);
}

TEST(Emit, AtomicsOfSixtyFourBitsAreValidInBothFlavours) {
  expect_valid(
      parsed(body("u64",
                  "  %0: u32 = global_id 0\n  %1: u64 = load x[%0]\n  %2: u64 = atomic_max x[%0], %1\n"
                  "  %3: u64 = atomic_compare_exchange x[%0], %1, %2\n")),
      kRich);
}

TEST(Emit, SumsOfFloatsAreTheDevicesOwnWhereItHasThem) {
  if (!spirv_remark().empty()) GTEST_SKIP() << spirv_remark();
  const std::string sums =
      "  %0: u32 = global_id 0\n  %1: f32 = load x[%0]\n  %2: f32 = atomic_add x[%0], %1\n"
      "  %3: f32 = atomic_sub x[%0], %2\n";
  const ir::Kernel only = parsed(body("f32", sums));
  const ir::Kernel mixed = parsed(body("f32", sums + "  %4: f32 = atomic_max x[%0], %3\n"));
  const auto text = [](const ir::Kernel& kernel, const Target& target) {
    return disassembled(emit_spirv_shader(kernel, target).value().bytes);
  };
  const auto has = [](const std::string& code, const char* word) {
    return code.find(word) != std::string::npos;
  };
  for (const Target* target : {&kRich, &kPoor}) {
    expect_valid(only, *target);
    expect_valid(mixed, *target);
    const std::string own = text(only, *target);
    EXPECT_EQ(has(own, "OpAtomicFAddEXT"), target == &kRich);
    EXPECT_EQ(has(own, "OpAtomicCompareExchange"), target == &kPoor);
    EXPECT_FALSE(has(text(mixed, *target), "OpAtomicFAddEXT")) << "of memory that is seen as integers too";
  }
  EXPECT_EQ(emit_spirv_shader(only, kRich).value().features,
            std::vector<std::string>{"atomic sums of floats"});
}

TEST(Emit, VulkanHasTheDriversFunctionsForF32Only) {
  const auto text = [](const std::string& type, Op op) {
    const std::string second = op == Op::native_pow ? ", %1" : "";
    return body(type, "  %0: u32 = global_id 0\n  %1: " + type + " = load x[%0]\n  %2: " + type + " = " +
                          std::string(ir::name(op)) + " %1" + second + "\n  store x[%0], %2\n");
  };
  for (auto i = static_cast<int>(Op::native_sin); i <= static_cast<int>(Op::native_pow); ++i) {
    const auto op = static_cast<Op>(i);
    expect_valid(parsed(text("f32", op)), kPoor);
    EXPECT_TRUE(emit_spirv_kernel(parsed(text("f64", op)), kRich));
    const auto shader = emit_spirv_shader(parsed(text("f64", op)), kRich);
    EXPECT_EQ(shader ? "accepted" : shader.error().message(),
              op == Op::native_rsqrt ? "accepted"
                                     : "[Kernel \"k\"] needs " + std::string(ir::name(op)) +
                                           " of 64-bit floats, which Vulkan lacks.");
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
  const std::string wide =
      body("u64", "  %0: u32 = constant 0\n  %1: u64 = load x[%0]\n  %2: u64 = atomic_add x[%0], %1\n");
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

TEST(Emit, IntegersOf64BitsAreEmulatedWhereTheTargetHasNone) {
  const ir::Kernel kernel = parsed(body(
      "u64", "  %0: u32 = global_id 0\n  %1: u64 = load x[%0]\n  %2: u64 = mul %1, %1\n  store x[%0], %2\n"));
  for (const auto emitter : {&emit_spirv_shader, &emit_spirv_kernel, &emit_opencl_c, &emit_glsl_vulkan}) {
    const Emitted poor = emitter(kernel, kPoor).value();
    EXPECT_EQ(poor.emulated, std::vector<std::string>{"64-bit integers"});
    EXPECT_TRUE(poor.features.empty());
    const Emitted rich = emitter(kernel, kRich).value();
    EXPECT_TRUE(rich.emulated.empty());
    EXPECT_EQ(rich.features, std::vector<std::string>{"64-bit integers"});
  }
  expect_valid(kernel, kPoor);
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

// x86 would hide a scope that is too small: the code itself is looked at.
TEST(Emit, FencesHaveTheScopeThatWasAskedFor) {
  const auto with_fence = [](const std::string& scope) {
    return parsed(body("u32", "  %0: u32 = global_id 0\n  fence " + scope + "\n  store x[%0], %0\n"));
  };
  const auto opencl = [&](const std::string& scope) {
    return emit_opencl_c(with_fence(scope), kRich).value().bytes;
  };
  EXPECT_NE(opencl("workgroup").find("mem_fence("), std::string::npos);
  EXPECT_EQ(opencl("workgroup").find("atomic_work_item_fence"), std::string::npos);
  EXPECT_NE(opencl("device").find("memory_order_acq_rel, memory_scope_device)"), std::string::npos);
  const auto glsl = [&](const std::string& scope) {
    return emit_glsl_vulkan(with_fence(scope), kRich).value().bytes;
  };
  EXPECT_NE(glsl("workgroup").find(" groupMemoryBarrier();"), std::string::npos);
  EXPECT_NE(glsl("device").find(" memoryBarrier();"), std::string::npos);

  EXPECT_TRUE(emit_opencl_c(with_fence("workgroup"), kPoor));
  EXPECT_EQ(emit_opencl_c(with_fence("device"), kPoor).error().message(),
            "[Kernel \"k\"] needs fences of device scope, which poor lacks.");

  if (!spirv_remark().empty()) GTEST_SKIP() << spirv_remark();
  const auto scope_of = [](const Emitted& code) {
    const std::string text = spirv_text(std::as_bytes(std::span(code.bytes))).value();
    const std::size_t at = text.find("OpMemoryBarrier ");
    const std::string id = text.substr(at + 16, text.find(' ', at + 16) - at - 16);
    const std::size_t defined = text.find(id + " = OpConstant ");
    const std::size_t end = text.find('\n', defined);
    return text.substr(text.rfind(' ', end) + 1, end - text.rfind(' ', end) - 1);
  };
  EXPECT_EQ(scope_of(emit_spirv_shader(with_fence("device"), kRich).value()), "1");
  EXPECT_EQ(scope_of(emit_spirv_shader(with_fence("workgroup"), kRich).value()), "2");
  EXPECT_EQ(scope_of(emit_spirv_kernel(with_fence("device"), kRich).value()), "1");
  EXPECT_EQ(scope_of(emit_spirv_kernel(with_fence("workgroup"), kRich).value()), "2");
}

// A GPU's caches would hide what another item stored, and no driver here has such caches: the code is looked
// at.
TEST(Emit, BuffersThatItemsPassValuesThroughAreCoherent) {
  struct Row {
    const char* what;
    std::string statements;
    bool coherent;
  };
  const std::string store = "  store x[%0], %0\n";
  const std::string load = "  %1: u32 = load x[%0]\n  atomic_store x[%1], %0\n";  // what nobody needs goes
  const std::string add = "  %2: u32 = atomic_add x[%0], %0\n";
  const Row rows[] = {
      {"stored and loaded behind a barrier", store + "  barrier\n" + load, true},
      {"stored and loaded behind a fence", store + "  fence device\n" + load, true},
      {"changed by atomics and loaded", add + "  fence device\n" + load, true},
      {"stored and looked at by atomics", store + "  fence device\n  %1: u32 = atomic_load x[%0]\n", true},
      {"nothing orders it", store + load, false},
      {"stored only", "  barrier\n" + store, false},
      {"atomics only", add + "  barrier\n  atomic_store x[%0], %0\n", false},
  };
  for (const Row& row : rows) {
    const ir::Kernel kernel = parsed(body("u32", "  %0: u32 = local_id 0\n" + row.statements));
    const std::string glsl = emit_glsl_vulkan(kernel, kRich).value().bytes;
    EXPECT_EQ(glsl.find("coherent restrict buffer Block0") != std::string::npos, row.coherent)
        << row.what << "\n"
        << glsl;
    if (!spirv_remark().empty()) continue;
    const std::string spirv = emit_spirv_shader(kernel, kRich).value().bytes;
    const std::string text = spirv_text(std::as_bytes(std::span(spirv))).value();
    EXPECT_EQ(text.find(" Coherent") != std::string::npos, row.coherent) << row.what << "\n" << text;
  }
}

// glslang refuses a constant index that no array of its own could have.
TEST(Emit, AConstantIndexBeyondGlslsIsComputed) {
  const auto computed = [](const std::string& index) {
    Target target = kRich;
    target.checks_buffers = false;
    const std::string code = body("u32", "  %0: u32 = constant " + index + "\n  store x[%0], %0\n");
    return emit_glsl_vulkan(parsed(code), target).value().bytes.find("gl_LocalInvocationIndex & 0u") !=
           std::string::npos;
  };
  EXPECT_FALSE(computed("2147483647"));
  EXPECT_TRUE(computed("2147483648"));
}

TEST(Emit, GuardsVanishWhereAConstantProvesThemNeedless) {
  const auto text = [](const std::string& divisor) {
    const std::string code =
        body("i32", "  %0: u32 = global_id 0\n  %1: i32 = load x[%0]\n" + divisor +
                        "  %3: i32 = div %1, %2\n  %4: i32 = shl %3, %2\n  store x[%0], %4\n");
    Target target = kPoor;
    target.checks_buffers = false;
    return emit_opencl_c(parsed(code), target).value().bytes;
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

// What only a parameter has is declared too.
TEST(Emit, ParametersThatNobodyReadsAreValid) {
  expect_valid(
      parsed(
          "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  value a: f64\n  value b: i8\n  value c: u16\n"
          "  %0: u32 = global_id 0\n  store x[%0], %0\n}\n"),
      kRich);
}

constexpr std::string_view kFunction = R"(kernel k group(64, 1, 1) {
  buffer x: f32 inout
  function turned(f32, f32) -> (f32, f32) {
    %0: f32 = argument 0
    %1: f32 = argument 1
    %2: f32 = negate %1
    give %2
    give %0
  }
  function sum(f32, f32) -> (f32) {
    %0: f32 = argument 0
    %1: f32 = argument 1
    pass %0
    pass %1
    call turned
    %2: f32 = result 0
    %3: f32 = result 1
    %4: f32 = add %2, %3
    give %4
  }
  %0: u32 = global_id 0
  %1: f32 = load x[%0]
  pass %1
  pass %1
  call sum
  %2: f32 = result 0
  store x[%0], %2
}
)";

TEST(Emit, TablesAreCode) {
  const ir::Kernel kernel = parsed(
      "kernel k group(64, 1, 1) {\n  buffer x: f32 inout\n  table t: f32 [0.5, -2]\n  table u: f32 [1, "
      "0x7f800000]\n"
      "  %0: u32 = global_id 0\n  %1: f32 = load t[%0]\n  %2: f32 = load u[%0]\n  %3: f32 = add %1, %2\n"
      "  store x[%0], %3\n}\n");
  const std::string text = emit_opencl_c(kernel, kRich).value().bytes;
  EXPECT_NE(text.find("__constant float m1_t[2] = { 0.5f, (-2.0f) };"), std::string::npos) << text;
  EXPECT_NE(text.find("__constant uint m2_u[2] = { 1065353216u, 2139095040u };"), std::string::npos) << text;
  const std::string glsl = emit_glsl_vulkan(kernel, kRich).value().bytes;
  EXPECT_NE(glsl.find("const float m1_t[2] = float[]("), std::string::npos) << glsl;
  for (const Format format : {Format::spirv_shader, Format::spirv_kernel}) {
    const auto made = emit(format, kernel, kRich);
    ASSERT_TRUE(made) << made.error().message();
    const auto valid =
        validate_spirv(std::as_bytes(std::span(made->bytes)),
                       format == Format::spirv_kernel ? SpirvTarget::opencl : SpirvTarget::vulkan_1_1);
    EXPECT_TRUE(valid) << valid.error().message();
  }
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Emit, FunctionsStayFunctions) {
  const auto text = emit_opencl_c(parsed(kFunction), kRich);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(count_of(text->bytes, "f0_turned(float a0, float a1) {"), 1u) << text->bytes;
  EXPECT_EQ(count_of(text->bytes, "f1_sum(float a0, float a1) {"), 1u);
  const auto glsl = emit_glsl_vulkan(parsed(kFunction), kRich);
  ASSERT_TRUE(glsl) << glsl.error().message();
  EXPECT_EQ(count_of(glsl->bytes, "void f0_turned(float a0, float a1, out float all_r0, out float all_r1) {"),
            1u)
      << glsl->bytes;
  for (const Format format : {Format::spirv_shader, Format::spirv_kernel}) {
    const auto made = emit(format, parsed(kFunction), kRich);
    ASSERT_TRUE(made) << made.error().message();
    const auto bytes = std::as_bytes(std::span(made->bytes));
    const auto valid =
        validate_spirv(bytes, format == Format::spirv_kernel ? SpirvTarget::opencl : SpirvTarget::vulkan_1_1);
    EXPECT_TRUE(valid) << valid.error().message();
    EXPECT_EQ(count_of(spirv_text(bytes).value(), "OpFunctionCall"), 2u);
  }
}

void expect_valid(const Result<Emitted>& made, SpirvTarget target) {
  ASSERT_TRUE(made) << made.error().message();
  const auto valid = validate_spirv(std::as_bytes(std::span(made->bytes)), target);
  EXPECT_TRUE(valid) << valid.error().message();
}

// What hides zeros from a compiler asks for the group's number, in a kernel that does not.
TEST(Emit, FunctionsHaveTheInputsThatPassesAskFor) {
  const ir::Kernel kernel = parsed(
      "kernel k group(64, 1, 1) {\n  buffer x: f32 inout\n  function f(f32) -> (f32) {\n"
      "    %0: f32 = argument 0\n    %1: f32 = constant 0\n    %2: f32 = add %0, %1\n    give %2\n  }\n"
      "  %0: u32 = constant 0\n  %1: f32 = load x[%0]\n  pass %1\n  call f\n  %2: f32 = result 0\n"
      "  store x[%0], %2\n}\n");
  Target target = kRich;
  target.workarounds = {Workaround::hide_zeros};
  expect_valid(emit_spirv_shader(kernel, target), SpirvTarget::vulkan_1_1);
}

// A function's first block is open, however the kernel before it ended.
TEST(Emit, FunctionsWithLoopsFollowKernelsThatEndWithReturn) {
  const ir::Kernel kernel = parsed(
      "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  function f(u32) -> (u32) {\n"
      "    %0: u32 = argument 0\n    %1: u32 = constant 0\n    %2: u32 = constant 1\n    %3: u32 = variable\n"
      "    %4: u32 = range %1, %0, %2 {\n      set %3, %4\n    }\n    %5: u32 = get %3\n    give %5\n  }\n"
      "  %0: u32 = constant 0\n  %1: u32 = load x[%0]\n  pass %1\n  call f\n  %2: u32 = result 0\n"
      "  store x[%0], %2\n  return\n}\n");
  expect_valid(emit_spirv_shader(kernel, kRich), SpirvTarget::vulkan_1_1);
  expect_valid(emit_spirv_kernel(kernel, kRich), SpirvTarget::opencl);
}

// Where a driver's faults have to do with loops, functions with loops are the kernel's code; and where there
// are no integers of 64 bits, those with such.
TEST(Emit, FunctionsThatCanNotStayAreTheKernelsCode) {
  const auto with = [](std::string_view lines) {
    return "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  function f(u32) -> (u32) {\n    %0: u32 = "
           "argument 0\n" +
           std::string(lines) +
           "  }\n  %0: u32 = global_id 0\n  pass %0\n  call f\n  %1: u32 = result 0\n  store x[%0], %1\n}\n";
  };
  const std::string loop = with(
      "%1: u32 = constant 0\n%2: u32 = constant 1\n%3: u32 = variable\n%4: u32 = range %1, %0, %2 {\n"
      "set %3, %4\n}\n%5: u32 = get %3\ngive %5\n");
  const std::string wide =
      with("%1: u64 = convert %0\n%2: u64 = mul %1, %1\n%3: u32 = convert %2\ngive %3\n");
  const auto stays = [](const std::string& text, const Target& target) {
    return count_of(emit_opencl_c(parsed(text), target).value().bytes, "f0_f(") == 2;
  };
  Target target = kRich;
  EXPECT_TRUE(stays(loop, target));
  target.loop_rounds = 65535;
  EXPECT_FALSE(stays(loop, target));
  target.loop_rounds = 0;
  target.workarounds = {Workaround::divergent_loops};
  EXPECT_FALSE(stays(loop, target));
  EXPECT_TRUE(stays(wide, kRich));
  EXPECT_FALSE(stays(wide, kPoor));
}

// glslang knows the type only behind the line that the feature brings.
TEST(Emit, TypesThatOnlyAFunctionTakesAreFeatures) {
  const ir::Kernel kernel = parsed(
      "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  value a: u32\n  function f(i64) -> (u32) {\n"
      "    %0: u32 = constant 7\n    give %0\n  }\n  %0: u32 = local_id 0\n  %1: i64 = convert %0\n"
      "  pass %1\n  call f\n  %2: u32 = result 0\n  store x[%0], %2\n}\n");
  EXPECT_EQ(emit_glsl_vulkan(kernel, kRich).value().features, std::vector<std::string>{"64-bit integers"});
}

// Tint asks for control flow that it knows to be uniform around barriers.
TEST(Emit, WhatUniformGivesIsUniformForWgsl) {
  const ir::Kernel kernel =
      parsed(body("u32",
                  "  %0: u32 = local_id 0\n  %1: u32 = load x[%0]\n  %2: u32 = uniform %1\n"
                  "  %3: bool = lt %2, %2\n  if %3 {\n    barrier\n  }\n  store x[%0], %2\n"));
  const std::string code = emit_wgsl(kernel, target_of_language(Format::wgsl)).value().bytes;
  EXPECT_NE(code.find("= workgroupUniformLoad(&m1_"), std::string::npos) << code;
}

// Naga's limit.
TEST(Emit, ALaneHasNoNumberInPlanesOfWgsl) {
  const auto code = [](const std::string& group) {
    return emit_wgsl(parsed("kernel k group(" + group +
                            ") {\n  buffer x: u32 inout\n  %0: u32 = subgroup_lane 0\n"
                            "  store x[%0], %0\n}\n"),
                     target_of_language(Format::wgsl));
  };
  EXPECT_TRUE(code("64, 1, 1"));
  EXPECT_EQ(code("8, 8, 1").error().message(),
            "[Kernel \"k\"] needs the number of a lane in groups of several dimensions, which WGSL lacks.");
}

// The group's size is a constant for GLSL and WGSL, whose compilers refuse an index that they compute from
// it.
TEST(Emit, NoIndexIsAConstantOfTheGroupsSize) {
  const ir::Kernel kernel = parsed(
      "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  item own: u32 [4]\n"
      "  %0: u32 = group_size 0\n  store own[%0], %0\n  %1: u32 = load own[%0]\n  store x[%0], %1\n}\n");
  Target target = target_of_language(Format::glsl);
  target.checks_items = target.checks_buffers = false;
  EXPECT_NE(emit_glsl(kernel, target).value().bytes.find("  uint v0 = gl_WorkGroupSize.x;"),
            std::string::npos);
}

// Twenty functions of which each calls the one before twice: what is written grows with what is written.
TEST(Emit, AChainOfFunctionsStaysShort) {
  std::string text =
      "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  function f0(u32) -> (u32) {\n    %0: u32 = "
      "argument 0\n    %1: u32 = mul %0, %0\n    give %1\n  }\n";
  for (int i = 1; i < 20; ++i) {
    const std::string before = "call f" + std::to_string(i - 1);
    text += "  function f" + std::to_string(i) +
            "(u32) -> (u32) {\n    %0: u32 = argument 0\n    pass %0\n    " + before +
            "\n    %1: u32 = result 0\n    pass %1\n    " + before +
            "\n    %2: u32 = result 0\n    give %2\n  }\n";
  }
  text += "  %0: u32 = global_id 0\n  pass %0\n  call f19\n  %1: u32 = result 0\n  store x[%0], %1\n}\n";
  for (const Format format :
       {Format::ir, Format::opencl_c, Format::cuda, Format::hip, Format::glsl_vulkan, Format::glsl,
        Format::glsl_es, Format::wgsl, Format::msl, Format::spirv_shader, Format::spirv_kernel}) {
    const auto made = emit(format, parsed(text), kPoor);
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_LT(made->bytes.size(), 100'000u) << to_string(format);
  }
}

}  // namespace
}  // namespace collet::emit
