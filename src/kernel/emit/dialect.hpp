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
                                      Op::all,           Op::uniform, Op::range,   Op::print};
// Operations that the emitter writes without a pattern of their own.
inline constexpr std::array kWritten{
    Op::constant, Op::parameter, Op::convert, Op::bitcast, Op::variable, Op::get,    Op::set,      Op::load,
    Op::store,    Op::if_,       Op::loop,    Op::pass,    Op::call,     Op::result, Op::argument, Op::give};

struct Dialect {
  Format format;
  std::string_view name;  // of the language, for refusals
  std::string_view prologue;
  // Lines that a feature needs: "64-bit floats", …
  struct Need {
    std::string_view feature, line;
  };
  std::array<Need, 8> needs{};
  // The first statement of a body in which a number that is not finite, or far_index, stands.
  std::string_view runtime_zero = {};
  std::array<std::string_view, 13> types;     // by Scalar; f16 is held as its bits
  std::array<std::string_view, 13> suffixes;  // of literals
  Language language;
  std::string_view reserved;  // names that no kernel may have, each between spaces

  std::string_view entry = {};  // of all kernels; "": the kernel's name
  std::string_view kernel;      // {n}, {x} {y} {z} group, {a} arguments, {b} body
  // Arguments for what the code asks of an item's place: an operation in the code brings its line, once.
  struct Builtin {
    Op op;
    std::string_view argument;
  };
  std::array<Builtin, 9> builtins{};
  std::string_view argument_separator = ", ";
  // Before the kernel: {t} {n} as its result and name, {a} arguments, {b} body. Several results are a struct
  // with the fields {b}, or arguments that the function sets.
  std::string_view function, function_argument = "{t} {n}", results;
  std::string_view result_field = "{t} {n}; ", result_variable = "{t} {n};";
  std::string_view float_ne = "{a} != {b}";  // true where one of the two is no number
  std::string_view result_argument = {};     // "": a struct
  // Buffers and workgroup arrays are declared before the kernel: they are no arguments, and not in its body.
  bool module_scope = false;
  std::string_view buffer_in, buffer_out;  // {i} number, {r}: one of the two below
  std::string_view atomic_element = {};    // the type of memory that atomic operations reach; "": like others
  std::string_view unaliased, aliased;     // the restrict qualifier; what stands where aliasing is allowed
  std::string_view coherent = {};          // before those, of coherent_buffers(); "": all buffers are
  std::string_view value;
  // Before the kernel, and as an argument: {c} elements, {q} a quarter of them, {i} the number of buffers.
  std::string_view value_struct, value_array;
  std::string_view parameter, parameter_element;       // {i} index; {q} and {m}, that by 4 and what is left
  std::string_view table;                              // before the kernel: {c} elements, {e} all of them
  std::string_view workgroup_array, item_array;        // {c} elements
  std::string_view buffer_pointer, workgroup_pointer;  // to an element, {m} memory, {i} index
  std::string_view atomic32, atomic64;                 // {x} in the patterns of atomics
  // A load from memory that broadcasts, for languages that ask for uniform control flow; "": as any load.
  std::string_view uniform_load = {};
  // A constant {e} as an index that its memory can't have, for compilers that refuse it although a branch
  // stands before; "": they do not.
  std::string_view far_index = {};

  std::string_view let, variable;  // {f}: the next one for floats, else nothing; {z} zero
  std::string_view exact = {};     // no operation of what is assigned is contracted; "": none is anywhere
  std::string_view read_anew;      // a variable of kReadAnew
  std::string_view (*bitcast)(Scalar from, Scalar to);
  // The statements of a compare-exchange that has no expression: {n} is its result; {t} {p} {b} {c}.
  std::string_view compare_exchange = {};
  std::string_view not_finite = {};  // a bitcast of the literal {e}; "": as any other
  std::string_view f64_bits;         // {e} all bits as a literal, {l} {h} the lower and the upper half
  std::string_view boolean_not, boolean_and, boolean_or, boolean_xor, float_rem;
  std::string_view negate_unsigned = "-{a}";
  std::string_view device_fence;  // the operation `fence` is of the group's scope
  std::string_view system_fence;
  std::string_view convert;
  std::string_view loop = "for (;;) {";
  // {a} {b} {c} arguments, {d} dimension as a digit, {l} as a letter, {g} the group's size in it, {t} type,
  // {x} atomic prefix, {p} pointer, {m} memory, {z} zero
  OpTable ops;
  OpTable refused{};            // what the language lacks, for operations that it has no words for
  OpTable refused_in_planes{};  // the same for groups of more than one dimension
};

// Whether each operation has one place where it is dealt with.
constexpr bool is_complete(const Dialect& dialect) {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    const auto in = [op](const auto& list) { return std::find(list.begin(), list.end(), op) != list.end(); };
    const bool replaced = in(kReplaced) || (op == Op::length && !dialect.language.length_query) ||
                          (op == Op::mul_high && !dialect.language.has_mul_high);
    const bool written =
        in(kWritten) || (op == Op::atomic_compare_exchange && !dialect.compare_exchange.empty());
    const int places = (dialect.ops[i].empty() ? 0 : 1) + (dialect.refused[i].empty() ? 0 : 1) +
                       (replaced ? 1 : 0) + (written ? 1 : 0);
    if (places != 1) return false;
  }
  return true;
}

inline constexpr std::string_view kNoSubgroups = "subgroups";

// An entry for each operation on subgroups.
constexpr void refuse_subgroups(OpTable& refused) {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    const bool place = op >= Op::subgroup_size && op <= Op::subgroup_id;
    if (place || (op >= Op::subgroup_add && op <= Op::subgroup_shuffle)) refused[i] = kNoSubgroups;
  }
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

}  // namespace collet::emit
