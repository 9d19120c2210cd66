// Float arithmetic whose results a compiler does not recognise in what is computed from them, for one that
// takes (a - b) + b for a, or a * b + a * c for a * (b + c), in a language that has no word against it. It
// leaves each operation alone, and its constants.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Opaque : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    if (!ir::is_float(node.type.scalar)) return append(node);
    if (node.op == Op::constant)
      return unknown(constant({ir::unsigned_of(node.type.scalar)}, node.immediate), node.type);
    if (!may_be_rewritten(node.op)) return append(node);
    Node own = node;
    // The same minus the same, or divided by it, where both were loaded from one place. Not by unknown(),
    // which changes nothing of what it has made.
    if (node.op == Op::sub || node.op == Op::div)
      own.arguments[1] =
          select(never(), constant(node.type, float_bits(node.type.scalar, 1)), node.arguments[1]);
    return unknown(make(Op::bitcast, {ir::unsigned_of(node.type.scalar)}, {append(own)}), node.type);
  }

  static bool may_be_rewritten(Op op) {
    return op == Op::add || op == Op::sub || op == Op::mul || op == Op::div || op == Op::fma;
  }
};

}  // namespace

Kernel lower_opaque(const Kernel& kernel) { return Opaque(kernel).run(); }

}  // namespace collet::emit
