// Checked mode: an index out of range says so, beside what lower_indices() makes of it.

#include "kernel/emit/check_messages.hpp"
#include "kernel/emit/messages.hpp"
#include "kernel/emit/rewriter.hpp"
#include "kernel/ir/inside.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Checks : public Rewriter {
 public:
  explicit Checks(const Kernel& from) : Rewriter(from), inside_(ir::find_inside(from)), messages_(from, 1) {}

 private:
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (ir::is_access(node.op) && !inside_.always[id]) check(node);
    Rewriter::visit(id);
  }

  void check(const Node& node) {
    const Memory& memory = from_.memories[node.low()];
    const Id index = now_[node.arguments[0]];
    const Id limit = memory.space == Space::buffer ? make(Op::length, ir::kU32, {}, node.low())
                                                   : constant(ir::kU32, memory.count);
    if_then(compare(Op::ge, index, limit), [&] {
      make(Op::pass, ir::kNothing, {index});
      make(Op::pass, ir::kNothing, {limit});
      make(Op::print, ir::kNothing, {},
           messages_.number_of(to_, node, ir::Message::Kind::index, "index {} where there are {} elements",
                               2));
    });
  }

  const ir::Inside inside_;
  CheckMessages messages_;
};

}  // namespace

Kernel lower_checks(const Kernel& kernel) { return Checks(kernel).run(); }

}  // namespace collet::emit
