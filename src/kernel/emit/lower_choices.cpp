// Choices between two floats, for a compiler that takes (a < b) ? b : a for max(a, b), which is another
// number where a or b is none, or where both are zeros of different signs.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Choices : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    if (node.op != Op::select || !ir::is_float(node.type.scalar)) return append(node);
    Node own = node;
    const ir::Type bits{ir::unsigned_of(node.type.scalar)};
    own.arguments[1] = unknown(make(Op::bitcast, bits, {node.arguments[1]}), node.type);
    return append(own);
  }
};

}  // namespace

Kernel lower_choices(const Kernel& kernel) { return Choices(kernel).run(); }

}  // namespace collet::emit
