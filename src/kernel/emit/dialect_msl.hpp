// Metal's shading language: buffers are arguments in order, constants are one more behind them.
#pragma once

#include "kernel/emit/dialect.hpp"

namespace collet::emit {

constexpr OpTable msl_operators() {
  OpTable ops = c_operators();
  const auto set = [&](Op op, std::string_view text) { ops[static_cast<std::size_t>(op)] = text; };
  set(Op::global_id, "global_id.{l}");
  set(Op::local_id, "local_id.{l}");
  set(Op::group_id, "group_id.{l}");
  set(Op::group_size, "{g}u");
  set(Op::group_count, "group_count.{l}");
  set(Op::subgroup_size, "subgroup_size");
  set(Op::subgroup_lane, "subgroup_lane");
  set(Op::subgroup_id, "subgroup_id");
  set(Op::abs, "fabs({a})");
  set(Op::mul_high, "mulhi({a}, {b})");
  set(Op::fma, "fma({a}, {b}, {c})");
  set(Op::count_bits, "popcount({a})");
  set(Op::leading_zeros, "clz({a})");
  set(Op::floor, "floor({a})");
  set(Op::ceil, "ceil({a})");
  set(Op::trunc, "trunc({a})");
  set(Op::round_even, "rint({a})");
  set(Op::sqrt, "precise::sqrt({a})");
  set(Op::native_sin, "sin({a})");
  set(Op::native_cos, "cos({a})");
  set(Op::native_tan, "tan({a})");
  set(Op::native_exp, "exp({a})");
  set(Op::native_exp2, "exp2({a})");
  set(Op::native_log, "log({a})");
  set(Op::native_log2, "log2({a})");
  set(Op::native_rsqrt, "rsqrt({a})");
  set(Op::native_pow, "pow({a}, {b})");
  set(Op::atomic_load, "atomic_load_explicit({p}, memory_order_relaxed)");
  set(Op::atomic_store, "atomic_store_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::atomic_add, "atomic_fetch_add_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::atomic_sub, "atomic_fetch_sub_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::atomic_min, "atomic_fetch_min_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::atomic_max, "atomic_fetch_max_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::atomic_and, "atomic_fetch_and_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::atomic_or, "atomic_fetch_or_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::atomic_xor, "atomic_fetch_xor_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::atomic_exchange, "atomic_exchange_explicit({p}, {b}, memory_order_relaxed)");
  set(Op::barrier, "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup)");
  set(Op::fence,
      "atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, "
      "thread_scope_threadgroup)");
  set(Op::subgroup_add, "simd_sum({a})");
  set(Op::subgroup_min, "simd_min({a})");
  set(Op::subgroup_max, "simd_max({a})");
  set(Op::subgroup_and, "simd_and({a})");
  set(Op::subgroup_or, "simd_or({a})");
  set(Op::subgroup_scan_add, "simd_prefix_inclusive_sum({a})");
  set(Op::subgroup_any, "simd_any({a})");
  set(Op::subgroup_all, "simd_all({a})");
  set(Op::subgroup_broadcast_first, "simd_broadcast_first({a})");
  set(Op::subgroup_shuffle, "simd_shuffle({a}, (ushort){b})");
  return ops;
}

// Fences and the pragmas are Metal 3.2's; compilers before know the first pragma and pass over the second.
inline constexpr Dialect kMsl{
    .format = Format::msl,
    .name = "MSL",
    .prologue =
        "#include <metal_stdlib>\nusing namespace metal;\n#pragma METAL fp contract(off)\n#pragma METAL fp "
        "math_mode(safe)\n",
    .types = {"", "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "ushort",
              "float", ""},
    .suffixes = {"", "", "", "", "", "", "", "u", "L", "UL", "", "f", ""},
    .language = {.fuses = true,
                 .constant_block = true,
                 .has_mul_high = true,
                 .has_narrow = true,
                 .casts_atomics = true,
                 .bytes_in_buffers = true,
                 .shorts_in_buffers = true,
                 .small_in_groups = true,
                 .small_in_items = true},
    .reserved =
        " main kernel vertex fragment device constant thread threadgroup threadgroup_imageblock ray_data "
        "object_data "
        "and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr const_cast "
        "continue "
        "decltype default delete do double dynamic_cast else enum explicit export extern false float for "
        "friend goto "
        "half if inline int long metal mutable namespace new noexcept not not_eq nullptr operator or or_eq "
        "private "
        "protected public register reinterpret_cast return short signed sizeof static static_assert "
        "static_cast struct "
        "switch template this thread_local throw true try typedef typeid typename uchar uint ulong union "
        "unsigned "
        "ushort using virtual void volatile wchar_t while xor xor_eq fabs fma floor ceil trunc rint sqrt sin "
        "cos tan "
        "exp exp2 log log2 rsqrt pow popcount clz mulhi global_id local_id group_id group_count "
        "subgroup_size "
        "subgroup_lane subgroup_id ",
    .kernel = "[[max_total_threads_per_threadgroup({x} * {y} * {z})]]\nkernel void {n}({a}) {\n{b}}\n",
    .builtins = {{{Op::global_id, "uint3 global_id [[thread_position_in_grid]]"},
                  {Op::local_id, "uint3 local_id [[thread_position_in_threadgroup]]"},
                  {Op::group_id, "uint3 group_id [[threadgroup_position_in_grid]]"},
                  {Op::group_count, "uint3 group_count [[threadgroups_per_grid]]"},
                  {Op::subgroup_size, "uint subgroup_size [[threads_per_simdgroup]]"},
                  {Op::subgroup_lane, "uint subgroup_lane [[thread_index_in_simdgroup]]"},
                  {Op::subgroup_id, "uint subgroup_id [[simdgroup_index_in_threadgroup]]"}}},
    .function = "static {t} {n}({a}) {\n{b}}\n",
    .results = "struct {n} { {b}};\n",
    .buffer_in = "device const {t}* {n} [[buffer({i})]]",
    .buffer_out = "device {t}* {n} [[buffer({i})]]",
    .unaliased = "",
    .aliased = "",
    .value = "",
    .value_struct = "",
    .value_array = "constant {t}* {n} [[buffer({i})]]",
    .parameter = "",
    .parameter_element = "{n}[{i}]",
    .table = "constant {t} {n}[{c}] = { {e} };\n",
    .workgroup_array = "threadgroup {t} {n}[{c}];",
    .item_array = "{t} {n}[{c}];",
    .buffer_pointer = "((device atomic_{t}*)&{m}[{i}])",
    .workgroup_pointer = "((threadgroup atomic_{t}*)&{m}[{i}])",
    .atomic32 = "",
    .atomic64 = "",
    .let = "const {t} {n} = {e};",
    .variable = "{t} {n} = 0;",
    .read_anew = "volatile {t} {n} = 0;",
    .bitcast = [](Scalar, Scalar) -> std::string_view { return "as_type<{t}>({e})"; },
    .compare_exchange =
        "{t} {n} = {b};\n"
        "while (!atomic_compare_exchange_weak_explicit({p}, &{n}, {c}, memory_order_relaxed, "
        "memory_order_relaxed) "
        "&&\n       {n} == {b}) {\n}",
    .f64_bits = "",
    .boolean_not = "!{a}",
    .boolean_and = "{a} & {b}",
    .boolean_or = "{a} | {b}",
    .boolean_xor = "{a} != {b}",
    .float_rem = "",
    .device_fence =
        "atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, "
        "thread_scope_device)",
    .system_fence =  // there is no wider scope
    "atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, "
    "thread_scope_device)",
    .convert = "({t}){e}",
    .ops = msl_operators(),
};
static_assert(is_complete(kMsl));

}  // namespace collet::emit
