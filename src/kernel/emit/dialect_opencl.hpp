// OpenCL C 1.2, and what later versions add where a kernel asks for it.
#pragma once

#include "kernel/emit/dialect.hpp"

namespace collet::emit {

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
    .name = "OpenCL C",
    .prologue = "#pragma OPENCL FP_CONTRACT OFF\n",
    .needs = {{{"64-bit floats", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"},
               {"64-bit atomics",
                "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"},
               {"fences of system scope",  // PoCL has SVM, and not this word
                "#if !defined(__opencl_c_atomic_scope_all_devices) && __OPENCL_C_VERSION__ >= 300\n"
                "#define memory_scope_all_svm_devices memory_scope_device\n"
                "#endif\n"},
               {"subgroups",
                "#ifdef cl_khr_subgroups\n"
                "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                "#endif\n"}}},
    .types = {"", "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "ushort",
              "float", "double"},
    .suffixes = {"", "", "", "", "", "", "", "u", "L", "UL", "", "f", ""},
    .language = {.has_fmod = true,
                 .fuses = true,
                 .has_mul_high = true,
                 .has_narrow = true,
                 .casts_atomics = true,
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
    .function = "{t} {n}({a}) {\n{b}}\n",
    .results = "typedef struct { {b}} {n};\n",
    .buffer_in = "__global const {t}* {r}{n}",
    .buffer_out = "__global {t}* {r}{n}",
    .unaliased = "restrict ",
    .aliased = "",
    .value = "{t} {n}",
    .value_struct = "typedef struct { {t} w[{c}]; } {n}_t;\n",
    .value_array = "{n}_t {n}",
    .parameter = "{n}",
    .parameter_element = "{n}.w[{i}]",
    .table = "__constant {t} {n}[{c}] = { {e} };\n",
    .workgroup_array = "__local {t} {n}[{c}];",
    .item_array = "{t} {n}[{c}];",
    .buffer_pointer = "((volatile __global {t}*)&{m}[{i}])",
    .workgroup_pointer = "((volatile __local {t}*)&{m}[{i}])",
    .atomic32 = "atomic_",
    .atomic64 = "atom_",
    .let = "const {t} {n} = {e};",
    .variable = "{t} {n} = 0;",
    .read_anew = "volatile {t} {n} = 0;",
    .bitcast = [](Scalar, Scalar) -> std::string_view { return "as_{t}({e})"; },
    .f64_bits = "as_double({e})",
    .boolean_not = "!{a}",
    .boolean_and = "{a} & {b}",
    .boolean_or = "{a} | {b}",
    .boolean_xor = "{a} ^ {b}",
    .float_rem = "fmod({a}, {b})",
    .device_fence =
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, "
        "memory_scope_device)",
    .system_fence =
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, "
        "memory_scope_all_svm_devices)",
    .convert = "({t}){e}",
    .ops = opencl_operators(),
};
static_assert(is_complete(kOpenClC));

}  // namespace collet::emit
