// The guard against items that do not exist.

#include "kernel/emit/guard.hpp"

#include <algorithm>

#include "kernel/emit/rewriter.hpp"
#include "kernel/ir/uniformity.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Guard : public Rewriter {
 public:
  explicit Guard(const Kernel& from)
      : Rewriter(from),
        uniformity_(ir::find_uniformity(from)),
        lockstep_(
            std::ranges::any_of(from.nodes, [](const Node& node) { return ir::is_together(node.op); })) {}

  Kernel guarded() {
    exists_ = condition();
    if (exists_ == kNone) return from_;
    if (lockstep_) return run();
    if_then(exists_, [&] { copy_nodes(0); });
    return std::move(to_);
  }

 private:
  // A dimension whose groups have one item has no item too many.
  Id condition() {
    Id all = kNone;
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (from_.group[d] == 1) continue;
      const Id inside =
          compare(Op::lt, make(Op::global_id, ir::kU32, {}, d), make(Op::element_count, ir::kU32, {}, d));
      all = all == kNone ? inside : binary(Op::bit_and, all, inside);
    }
    return all;
  }

  // What all items of a group read together is the same for those that do not exist: it may decide whether
  // they come to a barrier.
  void visit(Id id) override {
    together_ = uniformity_.value[id] && uniformity_.flow[id];
    Rewriter::visit(id);
  }

  Id rewrite(const Node& node) override {
    if (!lockstep_ || !is_guarded(node)) return append(node);
    if (node.type == ir::kNothing) {
      if_then(exists_, [&] { append(node); });
      return kNone;
    }
    const Id value = make(Op::variable, node.type, {});
    if_then(exists_, [&] { set(value, append(node)); });
    return get(value);
  }

  bool is_guarded(const Node& node) const {
    if (ir::is_atomic(node.op)) return true;
    if (node.op != Op::load && node.op != Op::store) return false;
    return from_.memories[node.low()].space == Space::buffer && !(node.op == Op::load && together_);
  }

  const ir::Uniformity uniformity_;
  const bool lockstep_;
  bool together_ = false;  // the node that is copied now
  Id exists_ = kNone;
};

}  // namespace

ir::Kernel guard(const ir::Kernel& kernel) { return Guard(kernel).guarded(); }

}  // namespace collet::emit
