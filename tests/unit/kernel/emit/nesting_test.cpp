// What text emitters write where it is used, and what keeps a name because what it reads may change before.

#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "kernel/emit/emit.hpp"
#include "kernel/emit/pattern.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::emit {
namespace {

const Target kUnchecked{.name = "unchecked",
                        .fused_multiply_add = true,
                        .checks_buffers = false,
                        .checks_groups = false,
                        .checks_items = false};

// With names counted as they come up.
std::string renumbered(const std::string& text) {
  const std::regex name("\\bv[0-9]+\\b");
  std::map<std::string, std::string> names;
  std::string out;
  auto from = text.begin();
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
    out.append(from, text.begin() + at->position());
    out += names.try_emplace(at->str(), "v" + std::to_string(names.size())).first->second;
    from = text.begin() + at->position() + at->length();
  }
  return out.append(from, text.end());
}

// The statements of a kernel's body.
std::string written(std::string_view statements,
                    Result<Emitted> (*emitter)(const ir::Kernel&, const Target&)) {
  const std::string text =
      "kernel k group(64, 1, 1) {\n  buffer x: f32 in\n  buffer y: f32 inout\n  value a: f32\n"
      "  %0: u32 = local_id 0\n" +
      std::string(statements) + "}\n";
  const ir::Kernel kernel = ir::parse(text).value();
  ir::verify(kernel).value();
  const std::string code = emitter(kernel, kUnchecked).value().bytes;
  const std::size_t body = code.find("void ");
  return renumbered(code.substr(code.find("{\n", body) + 2));
}

std::string opencl(std::string_view statements) { return written(statements, &emit_opencl_c); }
std::string glsl(std::string_view statements) { return written(statements, &emit_glsl_vulkan); }

TEST(Nesting, ValuesThatAreUsedOnceStandWhereTheyAreUsed) {
  EXPECT_EQ(opencl("  %1: f32 = load x[%0]\n  %2: f32 = parameter a\n  %3: f32 = mul %2, %1\n"
                   "  %4: f32 = load y[%0]\n  %5: f32 = add %3, %4\n  store y[%0], %5\n"),
            "  const uint v0 = (uint)get_local_id(0);\n  m1_y[v0] = p0_a * m0_x[v0] + m1_y[v0];\n}\n");
}

TEST(Nesting, WhatIsUsedTwiceHasAName) {
  EXPECT_EQ(
      opencl("  %1: f32 = load x[%0]\n  %2: f32 = mul %1, %1\n  store y[%0], %2\n"),
      "  const uint v0 = (uint)get_local_id(0);\n  const float v1 = m0_x[v0];\n  m1_y[v0] = v1 * v1;\n}\n");
}

// In each the load comes first, and would see another value where it is used.
TEST(Nesting, AReadStaysInFrontOfWhatMayChangeIt) {
  const std::string load = "  %1: f32 = load y[%0]\n  %2: f32 = load x[%0]\n";
  const std::string use = "  store y[%0], %1\n";
  const char* const changes[] = {"  store y[%0], %2\n", "  barrier\n",
                                 "  %3: bool = lt %2, %2\n  if %3 {\n    store y[%0], %2\n  }\n"};
  for (const char* const change : changes) {
    const std::string text = opencl(load + change + use);
    EXPECT_LT(text.find(" = m1_y[v0];"), text.find("  m1_y[v0] = ")) << text;
  }
}

TEST(Nesting, AVariableIsReadBeforeItIsSet) {
  const std::string text = opencl(
      "  %1: f32 = variable\n  %2: f32 = load x[%0]\n  set %1, %2\n  %3: f32 = get %1\n"
      "  %4: f32 = load y[%0]\n  set %1, %4\n  store y[%0], %3\n");
  EXPECT_NE(text.find("const float v2 = v0;\n  v0 = m1_y[v1];\n  m1_y[v1] = v2;"), std::string::npos) << text;
}

// The branch stands further down than its condition, behind the store.
TEST(Nesting, AConditionKeepsWhatItReadWhereItStood) {
  const std::string text = opencl(
      "  %1: f32 = load y[%0]\n  %2: f32 = parameter a\n  %3: bool = lt %1, %2\n  store y[%0], %2\n"
      "  if %3 {\n    store y[%0], %2\n  }\n");
  EXPECT_LT(text.find("= m1_y[v0];"), text.find("m1_y[v0] = p0_a;")) << text;
}

// An operand of select that is more than a name would be a branch for some compilers.
TEST(Nesting, LoadsAreNoArmsOfASelection) {
  const std::string text = opencl(
      "  %1: f32 = load x[%0]\n  %2: f32 = load y[%0]\n  %3: f32 = parameter a\n"
      "  %4: bool = lt %3, %3\n  %5: f32 = select %4, %1, %2\n  store y[%0], %5\n");
  EXPECT_NE(text.find("? v1 : v2;"), std::string::npos) << text;
}

// GLSL's `precise` belongs to a variable: float arithmetic that a store alone holds could be contracted.
TEST(Nesting, ExactArithmeticHasANameInGlsl) {
  const std::string text = glsl(
      "  %1: f32 = load x[%0]\n  %2: f32 = parameter a\n  %3: f32 = mul %2, %1\n  %4: f32 = add %3, %1\n"
      "  %5: bool = lt %4, %2\n  if %5 {\n    store y[%0], %2\n  }\n");
  EXPECT_NE(text.find("precise float"), std::string::npos) << text;
  EXPECT_NE(text.find(" = v0 * v2 + v2;"), std::string::npos) << text;
}

TEST(Nesting, ParenthesesStandWhereAnOperatorWouldHoldTighter) {
  EXPECT_EQ(level_of("{a} * {b}"), Level::product);
  EXPECT_EQ(level_of("{a} - {b}"), Level::sum);
  EXPECT_EQ(level_of("{a} << {b}"), Level::loose);
  EXPECT_EQ(level_of("uint(31 - findMSB({a}))"), Level::primary);
  EXPECT_EQ(level_of("sub_group_any({a}) != 0"), Level::comparison);
  EXPECT_EQ(level_of("-{a}"), Level::product);
  EXPECT_EQ(fill("f({a}, -{b})", {{'a', "(x + y)", "x + y"}, {'b', "(z + w)", "z + w"}}),
            "f(x + y, -(z + w))");
  EXPECT_EQ(opencl("  %1: f32 = load x[%0]\n  %2: f32 = parameter a\n  %3: f32 = sub %2, %1\n"
                   "  %4: f32 = sub %2, %3\n  store y[%0], %4\n"),
            "  const uint v0 = (uint)get_local_id(0);\n  m1_y[v0] = p0_a - (p0_a - m0_x[v0]);\n}\n");
}

// "--x" is another operator, which some languages lack, and in others it changes x.
TEST(Nesting, TwoSignsNeverStandSideBySide) {
  const std::string text =
      opencl("  %1: f32 = load x[%0]\n  %2: f32 = negate %1\n  %3: f32 = negate %2\n  store y[%0], %3\n");
  EXPECT_EQ(text.find("--"), std::string::npos) << text;
  EXPECT_NE(text.find("-(-m0_x[v0])"), std::string::npos) << text;
}

}  // namespace
}  // namespace collet::emit
