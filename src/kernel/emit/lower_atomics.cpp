// Atomic operations for languages that can't cast a pointer, and for those whose atomic memory has a type of
// its own.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Atomics : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    if (!ir::is_atomic(node.op)) return append(node);
    const Scalar element = to_.memories[node.low()].element.scalar;
    const bool store = ir::rule(node.op) == Rule::store;
    const Scalar asked = store ? type(node.arguments[1]).scalar : node.type.scalar;
    if (asked == element) return append(node);
    if (node.op == Op::atomic_min || node.op == Op::atomic_max) return extreme(node, element, asked);
    Node cast = node;
    for (std::uint8_t i = 1; i < node.count; ++i) cast.arguments[i] = bitcast(node.arguments[i], element);
    if (store) return append(cast);
    cast.type = {element};
    return bitcast(append(cast), asked);
  }

  // The order of numbers goes by their sign, so these two can't be done in the other type.
  Id extreme(const Node& node, Scalar element, Scalar asked) {
    const auto at = [&](Op op, std::initializer_list<Id> arguments) {
      return make(op, {element}, arguments, node.immediate);
    };
    const Id index = node.arguments[0];
    const Id value = node.arguments[1];
    const Id last = variable(at(Op::atomic_load, {index}));
    const Op better = node.op == Op::atomic_min ? Op::lt : Op::gt;
    loop(
        [&] {
          const Id expected = get(last);
          const Id now = bitcast(expected, asked);
          const Id wanted = bitcast(select(compare(better, value, now), value, now), element);
          const Id seen = at(Op::atomic_compare_exchange, {index, expected, wanted});
          if_then(compare(Op::eq, seen, expected), [&] { make(Op::break_, ir::kNothing, {}); });
          set(last, seen);
        },
        [] {});
    return bitcast(get(last), asked);
  }
};

// Threads: one at a time.
class AtomicMemory : public Rewriter {
 public:
  explicit AtomicMemory(const Kernel& from) : Rewriter(from), atomic_(from.memories.size()) {
    for (const Node& node : from.nodes) {
      if (ir::is_atomic(node.op)) atomic_[node.low()] = true;
    }
  }

 private:
  Id rewrite(const Node& node) override {
    const bool plain = node.op == Op::load || node.op == Op::store;
    if (!plain || !atomic_[node.low()]) return append(node);
    Node made = node;
    made.op = node.op == Op::load ? Op::atomic_load : Op::atomic_store;
    return append(made);
  }

  std::vector<bool> atomic_;
};

}  // namespace

Kernel lower_atomics(const Kernel& kernel) { return Atomics(kernel).run(); }
Kernel lower_atomic_memory(const Kernel& kernel) { return AtomicMemory(kernel).run(); }

}  // namespace collet::emit
