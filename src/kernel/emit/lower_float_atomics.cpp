// Atomic operations on floats become those on integers of the same size: a loop of compare and exchange.

#include <functional>
#include <vector>

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

bool is_extreme(Op op) { return op == Op::atomic_min || op == Op::atomic_max; }

// What a plain operation makes of the old value and the new one.
Op plain(Op op) {
  switch (op) {
    case Op::atomic_add: return Op::add;
    case Op::atomic_sub: return Op::sub;
    case Op::atomic_min: return Op::min;
    default: return Op::max;
  }
}

bool is_sum(Op op) { return op == Op::atomic_add || op == Op::atomic_sub; }

// By memory: whether it is reached as f32 only, and atomically by sums only.
std::vector<bool> summed_memories(const Kernel& kernel) {
  std::vector<bool> summed(kernel.memories.size(), true);
  for (const Node& node : kernel.nodes) {
    if (!ir::is_access(node.op)) continue;
    const bool stores = ir::rule(node.op) == Rule::store;
    const Scalar scalar = stores ? kernel.nodes[node.arguments[1]].type.scalar : node.type.scalar;
    if (scalar != Scalar::f32 || (ir::is_atomic(node.op) && !is_sum(node.op))) summed[node.low()] = false;
  }
  return summed;
}

// Threads: one at a time.
class FloatAtomics : public Rewriter {
 public:
  // Loops for those that `stays` is false of.
  FloatAtomics(const Kernel& from, std::function<bool(const Node&)> stays)
      : Rewriter(from), stays_(std::move(stays)) {}

 private:
  Id rewrite(const Node& node) override {
    const bool floats = ir::is_float_atomic(node.op) && ir::is_float(node.type.scalar);
    if (!floats || stays_(node)) return append(node);
    const Scalar bits = ir::bits(node.type.scalar) == 64 ? Scalar::u64 : Scalar::u32;
    const Scalar scalar = node.type.scalar;
    const Id index = node.arguments[0];
    const Id value = node.arguments[1];
    if (node.op == Op::atomic_exchange) {
      const Id before = make(Op::atomic_exchange, {bits}, {index, bitcast(value, bits)}, node.immediate);
      return bitcast(before, scalar);
    }
    const Id last = exchange({bits}, index, node.immediate, [&](Id before) {
      return bitcast(binary(plain(node.op), bitcast(before, scalar), value), bits);
    });
    return bitcast(get(last), scalar);
  }

  const std::function<bool(const Node&)> stays_;
};

}  // namespace

Kernel lower_float_atomics(const Kernel& kernel, bool sums) {
  const std::vector<bool> summed = summed_memories(kernel);
  return FloatAtomics(kernel, [&](const Node& node) { return sums && summed[node.low()]; }).run();
}
Kernel lower_float_extremes(const Kernel& kernel) {
  return FloatAtomics(kernel, [](const Node& node) { return !is_extreme(node.op); }).run();
}

}  // namespace collet::emit
