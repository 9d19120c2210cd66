// CUDA C++ as NVRTC takes it, and HIP, which differs where warps do.
#pragma once

#include "kernel/emit/dialect.hpp"

namespace collet::emit {

constexpr OpTable cuda_operators() {
  OpTable ops = c_operators();
  const auto set = [&](Op op, std::string_view text) { ops[static_cast<std::size_t>(op)] = text; };
  set(Op::global_id, "blockIdx.{l} * blockDim.{l} + threadIdx.{l}");
  set(Op::local_id, "threadIdx.{l}");
  set(Op::group_id, "blockIdx.{l}");
  set(Op::group_size, "blockDim.{l}");
  set(Op::group_count, "gridDim.{l}");
  set(Op::subgroup_size, "(unsigned int)warpSize");
  set(Op::subgroup_lane, "collet_item() % warpSize");
  set(Op::subgroup_id, "collet_item() / warpSize");
  set(Op::abs, "fabs({a})");
  set(Op::fma, "fma({a}, {b}, {c})");
  set(Op::count_bits, "__popc({a})");
  set(Op::leading_zeros, "__clz({a})");
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
  set(Op::atomic_load, "*(volatile {t}*){p}");
  set(Op::atomic_store, "{x}Exch({p}, {b})");
  set(Op::atomic_add, "{x}Add({p}, {b})");
  set(Op::atomic_sub, "{x}Add({p}, -{b})");
  set(Op::atomic_min, "{x}Min({p}, {b})");
  set(Op::atomic_max, "{x}Max({p}, {b})");
  set(Op::atomic_and, "{x}And({p}, {b})");
  set(Op::atomic_or, "{x}Or({p}, {b})");
  set(Op::atomic_xor, "{x}Xor({p}, {b})");
  set(Op::atomic_exchange, "{x}Exch({p}, {b})");
  set(Op::atomic_compare_exchange, "{x}CAS({p}, {b}, {c})");
  set(Op::barrier, "__syncthreads()");
  set(Op::fence, "__threadfence_block()");
  set(Op::subgroup_add, "collet_reduce({a}, collet_sum{})");
  set(Op::subgroup_min, "collet_reduce({a}, collet_least{})");
  set(Op::subgroup_max, "collet_reduce({a}, collet_most{})");
  set(Op::subgroup_and, "collet_reduce({a}, collet_and{})");
  set(Op::subgroup_or, "collet_reduce({a}, collet_or{})");
  set(Op::subgroup_scan_add, "collet_scan({a})");
  set(Op::subgroup_any, "COLLET_ANY({a}) != 0");
  set(Op::subgroup_all, "COLLET_ALL({a}) != 0");
  set(Op::subgroup_broadcast_first, "COLLET_SHUFFLE({a}, 0)");
  set(Op::subgroup_shuffle, "COLLET_SHUFFLE({a}, {b})");
  return ops;
}

constexpr std::string_view cuda_bitcast(Scalar from, Scalar to) {
  switch (from) {
    case Scalar::f32: return to == Scalar::i32 ? "__float_as_int({e})" : "__float_as_uint({e})";
    case Scalar::i32: return to == Scalar::f32 ? "__int_as_float({e})" : "({t}){e}";
    case Scalar::u32: return to == Scalar::f32 ? "__uint_as_float({e})" : "({t}){e}";
    case Scalar::f64: return "({t})__double_as_longlong({e})";
    default: return to == Scalar::f64 ? "__longlong_as_double((long long){e})" : "({t}){e}";
  }
}

// Atomic operations that have functions for unsigned numbers only. A store of all bits, so signs do not
// matter but for the order of numbers.
inline constexpr std::string_view kCudaAtomics64 =
    "typedef unsigned long long collet_word;\n"
    "template <class T> __device__ T collet_atomicExch(T* p, T v) { return (T)atomicExch((collet_word*)p, "
    "(collet_word)v); }\n"
    "template <class T> __device__ T collet_atomicAdd(T* p, T v) { return (T)atomicAdd((collet_word*)p, "
    "(collet_word)v); }\n"
    "template <class T> __device__ T collet_atomicAnd(T* p, T v) { return (T)atomicAnd((collet_word*)p, "
    "(collet_word)v); }\n"
    "template <class T> __device__ T collet_atomicOr(T* p, T v) { return (T)atomicOr((collet_word*)p, "
    "(collet_word)v); }\n"
    "template <class T> __device__ T collet_atomicXor(T* p, T v) { return (T)atomicXor((collet_word*)p, "
    "(collet_word)v); }\n"
    "template <class T> __device__ T collet_atomicCAS(T* p, T a, T b) {\n"
    "  return (T)atomicCAS((collet_word*)p, (collet_word)a, (collet_word)b);\n}\n"
    "template <class T> __device__ T collet_atomicMin(T* p, T v) {\n"
    "  T last = *(volatile T*)p;\n"
    "  for (;;) {\n"
    "    const T seen = collet_atomicCAS(p, last, v < last ? v : last);\n"
    "    if (seen == last) return last;\n"
    "    last = seen;\n"
    "  }\n}\n"
    "template <class T> __device__ T collet_atomicMax(T* p, T v) {\n"
    "  T last = *(volatile T*)p;\n"
    "  for (;;) {\n"
    "    const T seen = collet_atomicCAS(p, last, v > last ? v : last);\n"
    "    if (seen == last) return last;\n"
    "    last = seen;\n"
    "  }\n}\n";

// The last warp of a group may have fewer lanes: the lanes that are there are the first.
#define COLLET_WARP_FUNCTIONS                                                                                \
  "__device__ inline unsigned int collet_item() {\n"                                                         \
  "  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n}\n"                       \
  "__device__ inline int collet_lanes() {\n"                                                                 \
  "  const unsigned int all = blockDim.x * blockDim.y * blockDim.z;\n"                                       \
  "  const unsigned int left = all - collet_item() / warpSize * warpSize;\n"                                 \
  "  return left < (unsigned int)warpSize ? (int)left : warpSize;\n}\n"                                      \
  "struct collet_sum { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };\n"    \
  "struct collet_least { template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : "   \
  "a; } };\n"                                                                                                \
  "struct collet_most { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; " \
  "} };\n"                                                                                                   \
  "struct collet_and { template <class T> __device__ T operator()(T a, T b) const { return a & b; } };\n"    \
  "struct collet_or { template <class T> __device__ T operator()(T a, T b) const { return a | b; } };\n"     \
  "template <class T, class F> __device__ T collet_reduce(T value, F together) {\n"                          \
  "  const int lanes = collet_lanes();\n"                                                                    \
  "  if (lanes == warpSize) {\n"                                                                             \
  "    for (int step = warpSize / 2; step != 0; step /= 2)\n"                                                \
  "      value = together(value, COLLET_SHUFFLE_XOR(value, step));\n"                                        \
  "    return value;\n  }\n"                                                                                 \
  "  T all = COLLET_SHUFFLE(value, 0);\n"                                                                    \
  "  for (int lane = 1; lane < lanes; ++lane) all = together(all, COLLET_SHUFFLE(value, lane));\n"           \
  "  return all;\n}\n"                                                                                       \
  "template <class T> __device__ T collet_scan(T value) {\n"                                                 \
  "  const int lane = (int)(collet_item() % warpSize);\n"                                                    \
  "  for (int step = 1; step < warpSize; step *= 2) {\n"                                                     \
  "    const T below = COLLET_SHUFFLE_UP(value, step);\n"                                                    \
  "    if (lane >= step) value += below;\n  }\n"                                                             \
  "  return value;\n}\n"

inline constexpr std::string_view kCudaSubgroups =
    "#define COLLET_SHUFFLE(v, lane) __shfl_sync(__activemask(), v, lane)\n"
    "#define COLLET_SHUFFLE_XOR(v, lanes) __shfl_xor_sync(__activemask(), v, lanes)\n"
    "#define COLLET_SHUFFLE_UP(v, lanes) __shfl_up_sync(__activemask(), v, lanes)\n"
    "#define COLLET_ANY(v) __any_sync(__activemask(), v)\n"
    "#define COLLET_ALL(v) __all_sync(__activemask(), v)\n" COLLET_WARP_FUNCTIONS;
inline constexpr std::string_view kHipSubgroups =
    "#define COLLET_SHUFFLE(v, lane) __shfl(v, lane)\n"
    "#define COLLET_SHUFFLE_XOR(v, lanes) __shfl_xor(v, lanes)\n"
    "#define COLLET_SHUFFLE_UP(v, lanes) __shfl_up(v, lanes)\n"
    "#define COLLET_ANY(v) __any(v)\n"
    "#define COLLET_ALL(v) __all(v)\n" COLLET_WARP_FUNCTIONS;
#undef COLLET_WARP_FUNCTIONS

// NVRTC contracts unless it is told --fmad=false; the text has no way to say it.
inline constexpr Dialect kCuda{
    .format = Format::cuda,
    .name = "CUDA C++",
    .prologue = "// Compile with --fmad=false.\n",
    .needs = {{{"64-bit atomics", kCudaAtomics64}, {"subgroups", kCudaSubgroups}}},
    .types = {"", "bool", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int",
              "long long", "unsigned long long", "unsigned short", "float", "double"},
    .suffixes = {"", "", "", "", "", "", "", "u", "LL", "ULL", "", "f", ""},
    .language = {.has_fmod = true,
                 .fuses = true,
                 .has_narrow = true,
                 .casts_atomics = true,
                 .float_atomics = true,
                 .bytes_in_buffers = true,
                 .shorts_in_buffers = true,
                 .small_in_groups = true,
                 .small_in_items = true},
    .reserved =
        " main and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr "
        "const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern "
        "false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
        "operator or or_eq private protected public register reinterpret_cast return short signed sizeof "
        "static "
        "static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
        "typename union unsigned using virtual void volatile wchar_t while xor xor_eq warpSize threadIdx "
        "blockIdx blockDim gridDim abs fabs fma floor ceil trunc rint sqrt sin cos tan exp exp2 log log2 "
        "rsqrt pow "
        "fmod clock ",
    .kernel = "extern \"C\" __global__ void __launch_bounds__({x} * {y} * {z}) {n}({a}) {\n{b}}\n",
    .function = "static __device__ {t} {n}({a}) {\n{b}}\n",
    .results = "struct {n} { {b}};\n",
    .buffer_in = "const {t}* {r}{n}",
    .buffer_out = "{t}* {r}{n}",
    .unaliased = "__restrict__ ",
    .aliased = "",
    .value = "{t} {n}",
    .value_struct = "struct {n}_t { {t} w[{c}]; };\n",
    .value_array = "const {n}_t {n}",
    .parameter = "{n}",
    .parameter_element = "{n}.w[{i}]",
    .table = "__constant__ const {t} {n}[{c}] = { {e} };\n",
    .workgroup_array = "__shared__ {t} {n}[{c}];",
    .item_array = "{t} {n}[{c}];",
    .buffer_pointer = "(({t}*)&{m}[{i}])",
    .workgroup_pointer = "(({t}*)&{m}[{i}])",
    .atomic32 = "atomic",
    .atomic64 = "collet_atomic",
    .let = "const {t} {n} = {e};",
    .variable = "{t} {n} = 0;",
    .read_anew = "volatile {t} {n} = 0;",
    .bitcast = cuda_bitcast,
    .f64_bits = "__longlong_as_double((long long){e})",
    .boolean_not = "!{a}",
    .boolean_and = "{a} & {b}",
    .boolean_or = "{a} | {b}",
    .boolean_xor = "{a} != {b}",
    .float_rem = "fmod({a}, {b})",
    .device_fence = "__threadfence()",
    .system_fence = "__threadfence_system()",
    .convert = "({t}){e}",
    .ops = cuda_operators(),
};
static_assert(is_complete(kCuda));

// HIP's places are objects that become numbers, and a template would take such an object for its argument's
// type.
constexpr OpTable hip_operators() {
  OpTable ops = cuda_operators();
  const auto set = [&](Op op, std::string_view text) { ops[static_cast<std::size_t>(op)] = text; };
  set(Op::local_id, "(unsigned int)threadIdx.{l}");
  set(Op::group_id, "(unsigned int)blockIdx.{l}");
  set(Op::group_size, "(unsigned int)blockDim.{l}");
  set(Op::group_count, "(unsigned int)gridDim.{l}");
  return ops;
}

inline constexpr Dialect kHip = [] {
  Dialect dialect = kCuda;
  dialect.format = Format::hip;
  dialect.name = "HIP";
  dialect.prologue =
      "#ifndef __HIPCC_RTC__\n#include <hip/hip_runtime.h>\n#endif\n#pragma clang fp contract(off)\n";
  dialect.needs = {{{"64-bit atomics", kCudaAtomics64}, {"subgroups", kHipSubgroups}}};
  dialect.ops = hip_operators();
  return dialect;
}();
static_assert(is_complete(kHip));

}  // namespace collet::emit
