// Ranges become loops over a variable that never wraps around.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Ranges : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (node.op != Op::range) return Rewriter::visit(id);
    const Id begin = now_[node.arguments[0]];
    const Id end = now_[node.arguments[1]];
    const Id step = now_[node.arguments[2]];
    const Id counter = variable(begin);
    if (is_constant(step) && bits_of(step) == 1) {
      loop(
          [&] {
            now_[id] = get(counter);
            if_then(compare(Op::ge, now_[id], end), [&] { make(Op::break_, ir::kNothing, {}); });
            copy_nodes(node.low());
          },
          [&] { set(counter, binary(Op::add, get(counter), step)); });
      return;
    }
    // Beyond the last one, counter + step may wrap: what is left is compared instead.
    const Scalar whole = ir::unsigned_of(node.type.scalar);
    const Id more = variable(compare(Op::lt, begin, end));
    loop(
        [&] {
          if_then(unary(Op::bit_not, get(more)), [&] { make(Op::break_, ir::kNothing, {}); });
          now_[id] = get(counter);
          copy_nodes(node.low());
        },
        [&] {
          const Id last = get(counter);
          const Id left = binary(Op::sub, bitcast(end, whole), bitcast(last, whole));
          set(more, compare(Op::gt, left, bitcast(step, whole)));
          set(counter, binary(Op::add, last, step));
        });
  }
};

}  // namespace

Kernel lower_ranges(const Kernel& kernel) { return Ranges(kernel).run(); }

}  // namespace collet::emit
