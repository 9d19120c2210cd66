// Branches that hold a barrier get one behind them, and no else, for compilers that otherwise thread a later
// branch into them.

#include <algorithm>

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Branches : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  bool meets(std::uint32_t block) const {
    return block != kNone && std::ranges::any_of(from_.blocks[block].nodes, [&](Id id) {
             const Node& node = from_.nodes[id];
             if (node.op == Op::barrier) return true;
             const std::uint32_t blocks = ir::block_count(node.op);
             return (blocks >= 1 && meets(node.low())) || (blocks == 2 && meets(node.high()));
           });
  }

  // Items that come to a barrier together leave its branch together. The condition is a value and does not
  // change, so that the other side can ask for it again.
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (node.op != Op::if_ || (!meets(node.low()) && !meets(node.high()))) return Rewriter::visit(id);
    const Id condition = now_[node.arguments[0]];
    if_then(condition, [&] { copy_nodes(node.low()); });
    make(Op::barrier, ir::kNothing, {});
    if (node.high() == kNone) return;
    if_then(unary(Op::bit_not, condition), [&] { copy_nodes(node.high()); });
    make(Op::barrier, ir::kNothing, {});
  }
};

}  // namespace

Kernel lower_branches(const Kernel& kernel) { return Branches(kernel).run(); }

}  // namespace collet::emit
