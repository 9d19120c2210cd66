// One row of facts per language that the text emitter writes. The emitter has no `if (dialect == ...)`: what
// differs is a field here, or a pass that ran before.
//
// In patterns, {t} is a type, {n} a name, {e} an expression; others are said where they occur.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "kernel/emit/lower.hpp"

namespace collet::emit {

inline constexpr std::size_t kOpCount = static_cast<std::size_t>(Op::return_) + 1;
using OpTable = std::array<std::string_view, kOpCount>;

// Operations that no emitter sees, since the passes before replace them.
inline constexpr std::array kReplaced{Op::element_count, Op::min,     Op::max,     Op::trailing_zeros,
                                      Op::reverse_bits,  Op::compose, Op::extract, Op::any,
                                      Op::all,           Op::uniform, Op::range};
// Operations that the emitter writes without a pattern of their own.
inline constexpr std::array kWritten{Op::constant, Op::parameter, Op::convert, Op::bitcast,
                                     Op::variable, Op::get,       Op::set,     Op::load,
                                     Op::store,    Op::if_,       Op::loop};

struct Dialect {
  Format format;
  std::string_view prologue;
  // Lines that a feature needs: "64-bit floats", …
  struct Need {
    std::string_view feature, line;
  };
  std::array<Need, 3> needs{};
  std::array<std::string_view, 13> types;     // by Scalar; f16 is held as its bits
  std::array<std::string_view, 13> suffixes;  // of literals
  Language language;
  std::string_view reserved;  // names that no kernel may have, each between spaces

  std::string_view kernel;  // {n}, {x} {y} {z} group, {a} arguments, {b} body
  std::string_view argument_separator = ", ";
  std::string_view buffer_in, buffer_out;  // {r}: one of the two below
  std::string_view unaliased, aliased;     // nobody else reaches the memory; somebody may
  std::string_view value;
  std::string_view value_struct, value_array;          // {c} elements; before the kernel, and as an argument
  std::string_view parameter, parameter_element;       // {i} index
  std::string_view workgroup_array, item_array;        // {c} elements
  std::string_view buffer_pointer, workgroup_pointer;  // to an element, {m} memory, {i} index
  std::string_view atomic32, atomic64;                 // {x} in the patterns of atomics

  std::string_view let, variable;
  std::string_view read_anew;  // a variable of kReadAnew
  std::string_view bitcast;
  std::string_view boolean_not, float_rem;
  std::string_view device_fence;  // the operation `fence` is of the group's scope
  std::string_view convert;
  // {a} {b} {c} arguments, {d} dimension, {x} atomic prefix, {p} pointer
  OpTable ops;
};

// Whether each operation has one place where it is dealt with.
constexpr bool is_complete(const Dialect& dialect) {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    const auto in = [op](const auto& list) { return std::find(list.begin(), list.end(), op) != list.end(); };
    const bool replaced = in(kReplaced) || (op == Op::length && !dialect.language.length_query);
    const int places = (dialect.ops[i].empty() ? 0 : 1) + (replaced ? 1 : 0) + (in(kWritten) ? 1 : 0);
    if (places != 1) return false;
  }
  return true;
}

// What C and its children agree on.
constexpr OpTable c_operators() {
  OpTable ops{};
  const auto set = [&](Op op, std::string_view text) { ops[static_cast<std::size_t>(op)] = text; };
  set(Op::negate, "-{a}");
  set(Op::add, "{a} + {b}");
  set(Op::sub, "{a} - {b}");
  set(Op::mul, "{a} * {b}");
  set(Op::div, "{a} / {b}");
  set(Op::rem, "{a} % {b}");
  set(Op::bit_not, "~{a}");
  set(Op::bit_and, "{a} & {b}");
  set(Op::bit_or, "{a} | {b}");
  set(Op::bit_xor, "{a} ^ {b}");
  set(Op::shl, "{a} << {b}");
  set(Op::shr, "{a} >> {b}");
  set(Op::eq, "{a} == {b}");
  set(Op::ne, "{a} != {b}");
  set(Op::lt, "{a} < {b}");
  set(Op::le, "{a} <= {b}");
  set(Op::gt, "{a} > {b}");
  set(Op::ge, "{a} >= {b}");
  set(Op::select, "{a} ? {b} : {c}");
  set(Op::break_, "break");
  set(Op::continue_, "continue");
  set(Op::return_, "return");
  return ops;
}

constexpr OpTable opencl_operators() {
  OpTable ops = c_operators();
  const auto set = [&](Op op, std::string_view text) { ops[static_cast<std::size_t>(op)] = text; };
  set(Op::global_id, "(uint)get_global_id({d})");
  set(Op::local_id, "(uint)get_local_id({d})");
  set(Op::group_id, "(uint)get_group_id({d})");
  set(Op::group_size, "(uint)get_local_size({d})");
  set(Op::group_count, "(uint)get_num_groups({d})");
  set(Op::subgroup_size, "get_sub_group_size()");
  set(Op::subgroup_lane, "get_sub_group_local_id()");
  set(Op::subgroup_id, "get_sub_group_id()");
  set(Op::abs, "fabs({a})");
  set(Op::mul_high, "mul_hi({a}, {b})");
  set(Op::fma, "fma({a}, {b}, {c})");
  set(Op::count_bits, "popcount({a})");
  set(Op::leading_zeros, "clz({a})");
  set(Op::floor, "floor({a})");
  set(Op::ceil, "ceil({a})");
  set(Op::trunc, "trunc({a})");
  set(Op::round_even, "rint({a})");
  set(Op::sqrt, "sqrt({a})");
  set(Op::native_sin, "sin({a})");
  set(Op::native_cos, "cos({a})");
  set(Op::native_tan, "tan({a})");
  set(Op::native_exp, "exp({a})");
  set(Op::native_exp2, "exp2({a})");
  set(Op::native_log, "log({a})");
  set(Op::native_log2, "log2({a})");
  set(Op::native_rsqrt, "rsqrt({a})");
  set(Op::native_pow, "pow({a}, {b})");
  set(Op::atomic_load, "*{p}");
  set(Op::atomic_store, "{x}xchg({p}, {b})");
  set(Op::atomic_add, "{x}add({p}, {b})");
  set(Op::atomic_sub, "{x}sub({p}, {b})");
  set(Op::atomic_min, "{x}min({p}, {b})");
  set(Op::atomic_max, "{x}max({p}, {b})");
  set(Op::atomic_and, "{x}and({p}, {b})");
  set(Op::atomic_or, "{x}or({p}, {b})");
  set(Op::atomic_xor, "{x}xor({p}, {b})");
  set(Op::atomic_exchange, "{x}xchg({p}, {b})");
  set(Op::atomic_compare_exchange, "{x}cmpxchg({p}, {b}, {c})");
  set(Op::barrier, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)");
  set(Op::fence, "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)");
  set(Op::subgroup_add, "sub_group_reduce_add({a})");
  set(Op::subgroup_min, "sub_group_reduce_min({a})");
  set(Op::subgroup_max, "sub_group_reduce_max({a})");
  set(Op::subgroup_and, "sub_group_non_uniform_reduce_and({a})");
  set(Op::subgroup_or, "sub_group_non_uniform_reduce_or({a})");
  set(Op::subgroup_scan_add, "sub_group_scan_inclusive_add({a})");
  set(Op::subgroup_any, "sub_group_any({a}) != 0");
  set(Op::subgroup_all, "sub_group_all({a}) != 0");
  set(Op::subgroup_broadcast_first, "sub_group_broadcast({a}, 0)");
  set(Op::subgroup_shuffle, "sub_group_shuffle({a}, {b})");
  return ops;
}

inline constexpr Dialect kOpenClC{
    .format = Format::opencl_c,
    .prologue = "#pragma OPENCL FP_CONTRACT OFF\n",
    .needs = {{{"64-bit floats", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"},
               {"64-bit atomics",
                "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"},
               {"subgroups",
                "#ifdef cl_khr_subgroups\n"
                "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                "#endif\n"}}},
    .types = {"", "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "ushort",
              "float", "double"},
    .suffixes = {"", "", "", "", "", "", "", "u", "L", "UL", "", "f", ""},
    .language = {.has_fmod = true,
                 .fuses = true,
                 .bytes_in_buffers = true,
                 .shorts_in_buffers = true,
                 .small_in_groups = true,
                 .small_in_items = true},
    .reserved =
        " main kernel global local constant private generic pipe void bool char uchar short ushort int uint "
        "long "
        "ulong half float double signed unsigned if else for while do switch case default break continue "
        "return "
        "goto const volatile restrict static extern inline struct union enum typedef sizeof ",
    .kernel = "__kernel __attribute__((reqd_work_group_size({x}, {y}, {z})))\nvoid {n}({a}) {\n{b}}\n",
    .buffer_in = "__global const {t}* {r}{n}",
    .buffer_out = "__global {t}* {r}{n}",
    .unaliased = "restrict ",
    .aliased = "",
    .value = "{t} {n}",
    .value_struct = "typedef struct { {t} w[{c}]; } {n}_t;\n",
    .value_array = "{n}_t {n}",
    .parameter = "{n}",
    .parameter_element = "{n}.w[{i}]",
    .workgroup_array = "__local {t} {n}[{c}];",
    .item_array = "{t} {n}[{c}];",
    .buffer_pointer = "((volatile __global {t}*)&{m}[{i}])",
    .workgroup_pointer = "((volatile __local {t}*)&{m}[{i}])",
    .atomic32 = "atomic_",
    .atomic64 = "atom_",
    .let = "const {t} {n} = {e};",
    .variable = "{t} {n} = 0;",
    .read_anew = "volatile {t} {n} = 0;",
    .bitcast = "as_{t}({e})",
    .boolean_not = "!{a}",
    .float_rem = "fmod({a}, {b})",
    .device_fence =
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, "
        "memory_scope_device)",
    .convert = "({t}){e}",
    .ops = opencl_operators(),
};
static_assert(is_complete(kOpenClC));

}  // namespace collet::emit
