// WGSL: buffers and constants are bindings of group 0, memory of atomic operations has a type of its own, and
// the language computes constants itself and refuses those that are not finite.
#pragma once

#include "kernel/emit/dialect.hpp"

namespace collet::emit {

constexpr OpTable wgsl_operators() {
  OpTable ops = c_operators();
  const auto set = [&](Op op, std::string_view text) { ops[static_cast<std::size_t>(op)] = text; };
  set(Op::shl, "{a} << bitcast<u32>({b})");
  set(Op::shr, "{a} >> bitcast<u32>({b})");
  set(Op::select, "select({c}, {b}, {a})");
  set(Op::length, "arrayLength(&{m})");
  set(Op::global_id, "global_id.{l}");
  set(Op::local_id, "local_id.{l}");
  set(Op::group_id, "group_id.{l}");
  set(Op::group_size, "{g}u");
  set(Op::group_count, "group_count.{l}");
  set(Op::subgroup_size, "subgroup_size");
  set(Op::subgroup_lane, "subgroup_lane");
  set(Op::abs, "abs({a})");
  set(Op::fma, "fma({a}, {b}, {c})");
  set(Op::count_bits, "countOneBits({a})");
  set(Op::leading_zeros, "countLeadingZeros({a})");
  set(Op::floor, "floor({a})");
  set(Op::ceil, "ceil({a})");
  set(Op::trunc, "trunc({a})");
  set(Op::round_even, "round({a})");
  set(Op::sqrt, "sqrt({a})");
  set(Op::native_sin, "sin({a})");
  set(Op::native_cos, "cos({a})");
  set(Op::native_tan, "tan({a})");
  set(Op::native_exp, "exp({a})");
  set(Op::native_exp2, "exp2({a})");
  set(Op::native_log, "log({a})");
  set(Op::native_log2, "log2({a})");
  set(Op::native_rsqrt, "inverseSqrt({a})");
  set(Op::native_pow, "pow({a}, {b})");
  set(Op::atomic_load, "atomicLoad({p})");
  set(Op::atomic_store, "atomicStore({p}, {b})");
  set(Op::atomic_add, "atomicAdd({p}, {b})");
  set(Op::atomic_sub, "atomicSub({p}, {b})");
  set(Op::atomic_min, "atomicMin({p}, {b})");
  set(Op::atomic_max, "atomicMax({p}, {b})");
  set(Op::atomic_and, "atomicAnd({p}, {b})");
  set(Op::atomic_or, "atomicOr({p}, {b})");
  set(Op::atomic_xor, "atomicXor({p}, {b})");
  set(Op::atomic_exchange, "atomicExchange({p}, {b})");
  set(Op::barrier, "storageBarrier(); workgroupBarrier()");
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

inline constexpr Dialect kWgsl{
    .format = Format::wgsl,
    .name = "WGSL",
    .prologue = "",
    .needs = {{{"subgroups", "enable subgroups;\n"}}},
    .runtime_zero = "  var no_bits: u32 = 0u;\n",
    .types = {"", "bool", "i32", "u32", "i32", "u32", "i32", "u32", "", "", "u32", "f32", ""},
    .suffixes = {"", "", "i", "u", "i", "u", "i", "u", "", "", "u", "f", ""},
    .language = {.signed_wraps = true,
                 .constant_block = true,
                 .length_query = true,
                 .atomic_memory = true,
                 .place_as_argument = true},
    .reserved =
        " alias break case const const_assert continue continuing default diagnostic discard else enable "
        "false fn "
        "for if let loop override requires return struct switch true var while NULL Self abstract active "
        "alignas "
        "alignof as asm asm_fragment async attribute auto await become cast catch class co_await co_return "
        "co_yield "
        "coherent column_major common compile compile_fragment concept const_cast consteval constexpr "
        "constinit "
        "crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends "
        "extern "
        "external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl "
        "implements "
        "import inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move "
        "mut "
        "mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective "
        "null "
        "nullptr of operator package packoffset pass patch pixelfragment precise precision premerge priv "
        "protected "
        "pub public readonly ref regardless register reinterpret_cast require resource restrict self set "
        "shared "
        "sizeof smooth snorm static static_assert static_cast std subroutine super target template this "
        "thread_local "
        "throw trait try type typedef typeid typename typeof union unless unorm unsafe unsized use using "
        "varying "
        "virtual volatile wgsl where with writeonly yield bool f16 f32 i32 u32 vec2 vec3 vec4 array atomic "
        "ptr "
        "abs fma floor ceil trunc round sqrt sin cos tan exp exp2 log log2 pow select bitcast inverseSqrt "
        "arrayLength global_id local_id group_id group_count subgroup_size subgroup_lane ",
    .kernel = "@compute @workgroup_size({x}, {y}, {z})\nfn {n}({a}) {\n{b}}\n",
    .builtins = {{{Op::global_id, "@builtin(global_invocation_id) global_id: vec3<u32>"},
                  {Op::local_id, "@builtin(local_invocation_id) local_id: vec3<u32>"},
                  {Op::group_id, "@builtin(workgroup_id) group_id: vec3<u32>"},
                  {Op::group_count, "@builtin(num_workgroups) group_count: vec3<u32>"},
                  {Op::subgroup_size, "@builtin(subgroup_size) subgroup_size: u32"},
                  {Op::subgroup_lane, "@builtin(subgroup_invocation_id) subgroup_lane: u32"}}},
    .function = "fn {n}({a}) -> {t} {\n{b}}\n",
    .function_argument = "{n}: {t}",
    .results = "struct {n} { {b}}\n",
    .result_field = "{n}: {t}, ",
    .result_variable = "var {n}: {t};",
    .float_ne = "!({a} == {b})",  // Naga makes an ordered comparison of !=
    .module_scope = true,
    .buffer_in = "@group(0) @binding({i}) var<storage, read> {n}: array<{t}>;\n",
    .buffer_out = "@group(0) @binding({i}) var<storage, read_write> {n}: array<{t}>;\n",
    .atomic_element = "atomic<{t}>",
    .unaliased = "",
    .aliased = "",
    .value = "",
    .value_struct =
        "struct Constants { w: array<vec4<u32>, {q}> }\n@group(0) @binding({i}) var<uniform> {n}: "
        "Constants;\n",
    .value_array = "",
    .parameter = "",
    .parameter_element = "{n}.w[{q}][{m}]",
    .table = "const {n} = array<{t}, {c}>({e});\n",
    .workgroup_array = "var<workgroup> {n}: array<{t}, {c}>;",
    .item_array = "var {n}: array<{t}, {c}>;",
    .buffer_pointer = "&{m}[{i}]",
    .workgroup_pointer = "&{m}[{i}]",
    .atomic32 = "",
    .atomic64 = "",
    .uniform_load = "workgroupUniformLoad(&{m}[{i}])",
    .far_index = "({e} | no_bits)",
    .let = "let {n}: {t} = {e};",
    .variable = "var {n}: {t} = {z};",
    .read_anew = "var {n}: {t} = {z};",
    .bitcast = [](Scalar, Scalar) -> std::string_view { return "bitcast<{t}>({e})"; },
    .compare_exchange =
        "var {n}: {t};\n"
        "loop {\n"
        "  let found = atomicCompareExchangeWeak({p}, {b}, {c});\n"
        "  {n} = found.old_value;\n"
        "  if (found.exchanged || {n} != {b}) { break; }\n"
        "}",
    .not_finite = "bitcast<{t}>({e} | no_bits)",
    .f64_bits = "",
    .boolean_not = "!{a}",
    .boolean_and = "{a} & {b}",
    .boolean_or = "{a} | {b}",
    .boolean_xor = "{a} != {b}",
    .float_rem = "",
    .negate_unsigned = "0u - {a}",
    .device_fence = "",
    .system_fence = "",
    .convert = "{t}({e})",
    .loop = "loop {",
    .ops = wgsl_operators(),
    .refused =
        [] {
          OpTable refused{};
          refused[static_cast<std::size_t>(Op::fence)] = "fences";
          refused[static_cast<std::size_t>(Op::subgroup_id)] = "the number of a subgroup";
          return refused;
        }(),
    .refused_in_planes =
        [] {
          OpTable refused{};  // Naga takes the number of a lane in groups of one dimension only
          refused[static_cast<std::size_t>(Op::subgroup_lane)] =
              "the number of a lane in groups of several dimensions";
          return refused;
        }(),
};
static_assert(is_complete(kWgsl));

}  // namespace collet::emit
