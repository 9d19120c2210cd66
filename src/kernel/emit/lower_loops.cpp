// Loops beside barriers, for a compiler that runs the items of a group in loops between barriers.
//
// PoCL adds barriers of its own to a loop that every item seems to run equally often, and then lets one item
// decide for all where its optimiser has moved a branch out of that loop. A loop with an exit that depends on
// the item is left as it is. It also fails to cut a loop with a barrier into regions where that begins with a
// loop whose first round was peeled off; a barrier in front of it ends the region there. And it runs an item
// too many, one beyond the group's end, of what stands between a barrier and a loop with barriers, where the
// group is 1 wide; with a barrier in front of that loop there is nothing to run.

#include <algorithm>

#include "kernel/emit/contents.hpp"
#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class DivergentLoops : public Rewriter {
 public:
  explicit DivergentLoops(const Kernel& from) : Rewriter(from), contents_(from) {}

 private:
  void copy_nodes(std::uint32_t old) override {
    if (old == 0 && any_loop()) {
      const auto wide = std::ranges::find_if(from_.group, [](std::uint32_t size) { return size > 1; });
      if (wide != from_.group.end()) {  // else there is nobody to disagree with
        const auto dimension = static_cast<std::uint64_t>(wide - from_.group.begin());
        item_ = make(Op::variable, ir::kU32, {}, kReadAnew);
        set(item_, make(Op::local_id, ir::kU32, {}, dimension));
      }
    }
    if (body_ == old) {
      body_ = kNone;
      if_then(compare_with(Op::eq, get(item_), 0xffffffff), [&] { make(Op::break_, ir::kNothing, {}); });
    }
    Rewriter::copy_nodes(old);
  }

  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (item_ != kNone && is_meant(id)) body_ = node.low();
    Rewriter::visit(id);
  }

  bool any_loop() const {
    if (!contents_.any_barrier()) return false;
    for (Id id = 0; id < from_.nodes.size(); ++id) {
      if (is_meant(id)) return true;
    }
    return false;
  }
  bool is_meant(Id id) const {
    return from_.nodes[id].op == Op::loop && !contents_.barrier(id) && contents_.branch(id);
  }

  const Contents contents_;
  Id item_ = kNone;             // a variable: the item's number in its group
  std::uint32_t body_ = kNone;  // of a loop that gets the exit
};

// Threads: one at a time.
class LeadingLoops : public Rewriter {
 public:
  explicit LeadingLoops(const Kernel& from) : Rewriter(from), contents_(from), leads_(from.nodes.size()) {}

 private:
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (node.op == Op::loop && contents_.barrier(id)) mark_leading(node.low());
    if (leads_[id]) make(Op::barrier, ir::kNothing, {});
    Rewriter::visit(id);
  }

  // Marks the node of the block that holds a loop and no barrier, where no barrier stands before it.
  void mark_leading(std::uint32_t block) {
    for (const Id id : from_.blocks[block].nodes) {
      if (contents_.barrier(id)) return;
      if (!contents_.loop(id)) continue;
      leads_[id] = true;
      return;
    }
  }

  const Contents contents_;
  std::vector<bool> leads_;
};

// Threads: one at a time.
class NarrowGroups : public Rewriter {
 public:
  explicit NarrowGroups(const Kernel& from) : Rewriter(from), contents_(from) {}

 private:
  void visit(Id id) override {
    const bool narrow = from_.group[0] == 1 && from_.group[1] * from_.group[2] > 1;
    if (narrow && from_.nodes[id].op == Op::loop && contents_.barrier(id))
      make(Op::barrier, ir::kNothing, {});
    Rewriter::visit(id);
  }

  const Contents contents_;
};

}  // namespace

Kernel lower_divergent_loops(const Kernel& kernel) { return DivergentLoops(kernel).run(); }
Kernel lower_leading_loops(const Kernel& kernel) { return LeadingLoops(kernel).run(); }
Kernel lower_narrow_groups(const Kernel& kernel) { return NarrowGroups(kernel).run(); }

}  // namespace collet::emit
