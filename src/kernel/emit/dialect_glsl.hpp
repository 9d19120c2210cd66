// GLSL 4.50 for Vulkan, where buffers are bindings of set 0 and constants are push constants; GLSL 4.30 core
// and GLSL ES 3.10, where constants are a uniform block.
#pragma once

#include "kernel/emit/dialect.hpp"

namespace collet::emit {

constexpr OpTable glsl_operators() {
  OpTable ops = c_operators();
  const auto set = [&](Op op, std::string_view text) { ops[static_cast<std::size_t>(op)] = text; };
  set(Op::length, "uint({m}.length())");
  set(Op::global_id, "gl_GlobalInvocationID.{l}");
  set(Op::local_id, "gl_LocalInvocationID.{l}");
  set(Op::group_id, "gl_WorkGroupID.{l}");
  set(Op::group_size, "gl_WorkGroupSize.{l}");
  set(Op::group_count, "gl_NumWorkGroups.{l}");
  set(Op::subgroup_size, "gl_SubgroupSize");
  set(Op::subgroup_lane, "gl_SubgroupInvocationID");
  set(Op::subgroup_id, "gl_SubgroupID");
  set(Op::abs, "abs({a})");
  set(Op::fma, "fma({a}, {b}, {c})");
  set(Op::count_bits, "uint(bitCount({a}))");
  set(Op::leading_zeros, "uint(31 - findMSB({a}))");
  set(Op::floor, "floor({a})");
  set(Op::ceil, "ceil({a})");
  set(Op::trunc, "trunc({a})");
  set(Op::round_even, "roundEven({a})");
  set(Op::sqrt, "sqrt({a})");
  set(Op::native_sin, "sin({a})");
  set(Op::native_cos, "cos({a})");
  set(Op::native_tan, "tan({a})");
  set(Op::native_exp, "exp({a})");
  set(Op::native_exp2, "exp2({a})");
  set(Op::native_log, "log({a})");
  set(Op::native_log2, "log2({a})");
  set(Op::native_rsqrt, "inversesqrt({a})");
  set(Op::native_pow, "pow({a}, {b})");
  set(Op::atomic_load, "atomicOr({p}, {z})");
  set(Op::atomic_store, "atomicExchange({p}, {b})");
  set(Op::atomic_add, "atomicAdd({p}, {b})");
  set(Op::atomic_sub, "atomicAdd({p}, -{b})");
  set(Op::atomic_min, "atomicMin({p}, {b})");
  set(Op::atomic_max, "atomicMax({p}, {b})");
  set(Op::atomic_and, "atomicAnd({p}, {b})");
  set(Op::atomic_or, "atomicOr({p}, {b})");
  set(Op::atomic_xor, "atomicXor({p}, {b})");
  set(Op::atomic_exchange, "atomicExchange({p}, {b})");
  set(Op::atomic_compare_exchange, "atomicCompSwap({p}, {b}, {c})");
  set(Op::barrier, "groupMemoryBarrier(); barrier()");
  set(Op::fence, "groupMemoryBarrier()");
  set(Op::subgroup_add, "subgroupAdd({a})");
  set(Op::subgroup_min, "subgroupMin({a})");
  set(Op::subgroup_max, "subgroupMax({a})");
  set(Op::subgroup_and, "subgroupAnd({a})");
  set(Op::subgroup_or, "subgroupOr({a})");
  set(Op::subgroup_scan_add, "subgroupInclusiveAdd({a})");
  set(Op::subgroup_any, "subgroupAny({a})");
  set(Op::subgroup_all, "subgroupAll({a})");
  set(Op::subgroup_broadcast_first, "subgroupBroadcastFirst({a})");
  set(Op::subgroup_shuffle, "subgroupShuffle({a}, {b})");
  return ops;
}

constexpr std::string_view glsl_bitcast(Scalar from, Scalar to) {
  switch (from) {
    case Scalar::f32: return to == Scalar::i32 ? "floatBitsToInt({e})" : "floatBitsToUint({e})";
    case Scalar::f64: return to == Scalar::i64 ? "doubleBitsToInt64({e})" : "doubleBitsToUint64({e})";
    case Scalar::i32: return to == Scalar::f32 ? "intBitsToFloat({e})" : "{t}({e})";
    case Scalar::u32: return to == Scalar::f32 ? "uintBitsToFloat({e})" : "{t}({e})";
    case Scalar::i64: return to == Scalar::f64 ? "int64BitsToDouble({e})" : "{t}({e})";
    default: return to == Scalar::f64 ? "uint64BitsToDouble({e})" : "{t}({e})";
  }
}

inline constexpr Dialect kGlslVulkan{
    .format = Format::glsl_vulkan,
    .name = "GLSL for Vulkan",
    .prologue = "#version 450\n",
    .needs = {{{"64-bit integers", "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"},
               {"64-bit atomics", "#extension GL_EXT_shader_atomic_int64 : require\n"},
               {"subgroups", "#extension GL_KHR_shader_subgroup_basic : require\n"},
               {"subgroup arithmetic", "#extension GL_KHR_shader_subgroup_arithmetic : require\n"},
               {"subgroup votes", "#extension GL_KHR_shader_subgroup_vote : require\n"},
               {"subgroup broadcasts", "#extension GL_KHR_shader_subgroup_ballot : require\n"},
               {"subgroup shuffles", "#extension GL_KHR_shader_subgroup_shuffle : require\n"},
               {"subgroups of 64-bit integers",
                "#extension GL_EXT_shader_subgroup_extended_types_int64 : require\n"}}},
    .types = {"", "bool", "int", "uint", "int", "uint", "int", "uint", "int64_t", "uint64_t", "uint", "float",
              "double"},
    .suffixes = {"", "", "", "u", "", "u", "", "u", "L", "UL", "u", "", "LF"},
    .language = {.signed_wraps = true, .constant_block = true, .length_query = true},
    .reserved = "",
    .entry = "main",
    .kernel = "layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;\nvoid main() {\n{b}}\n",
    .function = "{t} {n}({a}) {\n{b}}\n",
    // No struct: glslang follows what `precise` depends on through a struct's fields without end.
    .results = "",
    .result_argument = "out {t} {n}",
    .module_scope = true,
    .buffer_in = "layout(std430, set = 0, binding = {i}) {r}readonly buffer Block{i} { {t} {n}[]; };\n",
    .buffer_out = "layout(std430, set = 0, binding = {i}) {r}buffer Block{i} { {t} {n}[]; };\n",
    .unaliased = "restrict ",
    .aliased = "",
    .coherent = "coherent ",
    .value = "",
    .value_struct = "layout(push_constant) uniform Constants { {t} w[{c}]; } {n};\n",
    .value_array = "",
    .parameter = "",
    .parameter_element = "{n}.w[{i}]",
    .table = "const {t} {n}[{c}] = {t}[]({e});\n",
    .workgroup_array = "shared {t} {n}[{c}];",
    .item_array = "{t} {n}[{c}];",
    .buffer_pointer = "{m}[{i}]",
    .workgroup_pointer = "{m}[{i}]",
    .atomic32 = "",
    .atomic64 = "",
    .far_index = "{e} + (gl_LocalInvocationIndex & 0u)",
    .let = "{f}{t} {n} = {e};",  // no constant: what is computed from one is, and refused as an index out of
                                 // range
    .variable = "{f}{t} {n} = {z};",
    .exact = "precise ",
    .read_anew = "{t} {n} = {z};",
    .bitcast = glsl_bitcast,
    .f64_bits = "packDouble2x32(uvec2({l}u, {h}u))",
    .boolean_not = "!{a}",
    .boolean_and = "{a} && {b}",
    .boolean_or = "{a} || {b}",
    .boolean_xor = "{a} ^^ {b}",
    .float_rem = "",
    .device_fence = "memoryBarrier()",
    .system_fence = "memoryBarrier()",
    .convert = "{t}({e})",
    .ops = glsl_operators(),
};
static_assert(is_complete(kGlslVulkan));

// No subgroups: what OpenGL has of them is an extension that few drivers offer.
inline constexpr Dialect kGlsl = [] {
  Dialect dialect = kGlslVulkan;
  dialect.format = Format::glsl;
  dialect.name = "GLSL";
  dialect.prologue = "#version 430\n";
  dialect.needs = {};
  dialect.buffer_in = "layout(std430, binding = {i}) {r}readonly buffer Block{i} { {t} {n}[]; };\n";
  dialect.buffer_out = "layout(std430, binding = {i}) {r}buffer Block{i} { {t} {n}[]; };\n";
  // An array of words would take 16 bytes for each.
  dialect.value_struct = "layout(std140, binding = 0) uniform Constants { uvec4 w[{q}]; } {n};\n";
  dialect.parameter_element = "{n}.w[{q}][{m}]";
  refuse_subgroups(dialect.refused);
  for (std::size_t i = 0; i < kOpCount; ++i) {
    if (!dialect.refused[i].empty()) dialect.ops[i] = {};
  }
  return dialect;
}();
static_assert(is_complete(kGlsl));

// `precise` came with an extension. Numbers of bits are lowp, and so is what is computed from them by
// constants: 16 bits on some drivers. A variable that is highp makes them whole.
inline constexpr Dialect kGlslEs = [] {
  Dialect dialect = kGlsl;
  dialect.format = Format::glsl_es;
  dialect.name = "GLSL ES";
  dialect.prologue =
      "#version 310 es\n#extension GL_EXT_gpu_shader5 : enable\n#ifndef GL_EXT_gpu_shader5\n#define precise\n"
      "#endif\nprecision highp float;\nprecision highp int;\n"
      "uint collet_ones(uint x) { int n = bitCount(x); return uint(n); }\n"
      "uint collet_zeros(uint x) { int n = findMSB(x); return uint(31 - n); }\n";
  dialect.ops[static_cast<std::size_t>(Op::count_bits)] = "collet_ones({a})";
  dialect.ops[static_cast<std::size_t>(Op::leading_zeros)] = "collet_zeros({a})";
  return dialect;
}();
static_assert(is_complete(kGlslEs));

}  // namespace collet::emit
