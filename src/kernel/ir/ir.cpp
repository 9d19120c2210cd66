// What is known of each operation.

#include "kernel/ir/ir.hpp"

#include <algorithm>

namespace collet::ir {
namespace {

struct OpFacts {
  std::string_view name;
  Rule rule;
  std::uint8_t arity;
};

constexpr OpFacts kOps[] = {
#define COLLET_OP(name, rule, arguments) {#name, Rule::rule, arguments},
#include "collet/detail/ops.inc"
#undef COLLET_OP
};

const OpFacts& facts(Op op) { return kOps[static_cast<std::size_t>(op)]; }

}  // namespace

std::uint32_t Kernel::buffer_count() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(memories, [](const Memory& m) { return m.space == Space::buffer; }));
}

// if_ and its like carry an underscore only because C++ has their names.
std::string_view name(Op op) {
  std::string_view name = facts(op).name;
  if (name.ends_with('_')) name.remove_suffix(1);
  return name;
}

Rule rule(Op op) { return facts(op).rule; }

std::uint8_t arity(Op op) { return op == Op::compose ? 2 : facts(op).arity; }

bool is_arithmetic(Op op) {
  switch (rule(op)) {
    case Rule::number1:
    case Rule::number2:
    case Rule::integer1:
    case Rule::integer2:
    case Rule::float1:
    case Rule::float2:
    case Rule::float3:
    case Rule::bits1:
    case Rule::bits2:
    case Rule::equal:
    case Rule::order: return true;
    default: return false;
  }
}

bool is_pure(Op op) {
  if (is_arithmetic(op)) return true;
  switch (rule(op)) {
    case Rule::constant:
    case Rule::parameter:
    case Rule::length:
    case Rule::builtin:
    case Rule::argument:
    case Rule::select:
    case Rule::convert:
    case Rule::bitcast:
    case Rule::compose:
    case Rule::extract:
    case Rule::reduce: return true;
    default: return false;
  }
}

bool is_atomic(Op op) { return op >= Op::atomic_load && op <= Op::atomic_compare_exchange; }
bool is_access(Op op) { return op == Op::load || op == Op::store || is_atomic(op); }
bool is_together(Op op) {
  return op == Op::barrier || op == Op::uniform ||
         (rule(op) >= Rule::subgroup && rule(op) <= Rule::subgroup_shuffle);
}
bool is_float_atomic(Op op) {
  return (op >= Op::atomic_add && op <= Op::atomic_max) || op == Op::atomic_exchange;
}

bool reads_memory(Op op) { return op == Op::load || (is_atomic(op) && op != Op::atomic_store); }

bool has_effect(Op op) {
  switch (rule(op)) {
    case Rule::set:
    case Rule::store:
    case Rule::atomic:
    case Rule::compare_exchange:
    case Rule::barrier:
    case Rule::fence:
    case Rule::uniform:
    case Rule::if_:
    case Rule::range:
    case Rule::loop:
    case Rule::jump:
    case Rule::pass:
    case Rule::print:
    case Rule::call:
    case Rule::result:
    case Rule::give: return true;
    default: return op == Op::atomic_load;
  }
}

std::uint32_t block_count(Op op) {
  switch (op) {
    case Op::if_:
    case Op::loop: return 2;
    case Op::range: return 1;
    default: return 0;
  }
}

}  // namespace collet::ir
