// Barriers taken out of branches, for compilers that thread later branches into those that hold one: what
// stands between two barriers of a branch becomes a branch of its own, and a loop that holds one asks inside.
// Who returns before a barrier goes on to the end instead, through branches that he does not take; so does
// who continues a loop that holds one. Such a loop ends with a barrier, or branches before its end would be
// threaded into those behind it.
//
// All of them ask variables that are read anew each time: a compiler that knew that the answers are the same
// would make one branch of them again.

#include <algorithm>

#include "kernel/emit/lower.hpp"
#include "kernel/ir/blocks.hpp"

namespace collet::emit {
namespace {

// Items that come to a barrier together agree on the condition of its branch. The condition is a value and
// does not change, so that it can be asked for again.
//
// Threads: one at a time.
class Branches : public Rewriter {
 public:
  explicit Branches(const Kernel& from)
      : Rewriter(from),
        place_(from.nodes.size()),
        last_use_(from.nodes.size()),
        meets_(from.nodes.size()),
        leaves_(from.nodes.size()),
        skips_(from.nodes.size()),
        bodies_(from.blocks.size()) {
    scan(0);
    any_leaves_ = find_leaving(0, false);
    find_skipping(0, false);
  }

 private:
  using Nodes = std::span<const Id>;

  // Whether the block holds a barrier. Numbers its nodes in the order in which they stand.
  bool scan(std::uint32_t block) {
    bool meets = false;
    for (const Id id : from_.blocks[block].nodes) {
      const Node& node = from_.nodes[id];
      place_[id] = next_place_++;
      if (node.op == Op::barrier) last_barrier_ = place_[id];
      for (std::uint8_t i = 0; i < node.count; ++i) last_use_[node.arguments[i]] = place_[id];
      meets_[id] =
          any_block(node, [&](std::uint32_t inner) { return scan(inner); }) || node.op == Op::barrier;
      meets = meets || meets_[id];
      if (node.op == Op::loop && meets_[id]) bodies_[node.low()] = true;
    }
    return meets;
  }

  // Whether items return in the block that may come to a barrier otherwise; `looping`: it is in a loop with
  // one.
  bool find_leaving(std::uint32_t block, bool looping) {
    bool leaves = false;
    for (const Id id : from_.blocks[block].nodes) {
      const Node& node = from_.nodes[id];
      const bool inside = looping || (node.op == Op::loop && meets_[id]);
      leaves_[id] = any_block(node, [&](std::uint32_t inner) { return find_leaving(inner, inside); }) ||
                    (node.op == Op::return_ && (looping || place_[id] < last_barrier_));
      leaves = leaves || leaves_[id];
    }
    return leaves;
  }

  // Whether items continue in the block the loop around it; `looping`: that loop holds a barrier.
  bool find_skipping(std::uint32_t block, bool looping) {
    bool skips = false;
    for (const Id id : from_.blocks[block].nodes) {
      const Node& node = from_.nodes[id];
      const bool loop = node.op == Op::loop;
      const bool around = loop ? meets_[id] : looping;
      const bool inside = any_block(node, [&](std::uint32_t inner) { return find_skipping(inner, around); });
      skips_[id] = (inside && !loop) || (node.op == Op::continue_ && looping);
      skips = skips || skips_[id];
    }
    return skips;
  }

  // Calls `call` for all blocks of the node; whether one of them said true.
  template <class Call>
  static bool any_block(const Node& node, const Call& call) {
    bool any = false;
    ir::for_blocks(node, [&](std::uint32_t inner) { any = call(inner) || any; });
    return any;
  }

  void copy_nodes(std::uint32_t old) override {
    const Nodes nodes = from_.blocks[old].nodes;
    if (old == 0 && any_leaves_) gone_ = make(Op::variable, ir::kBool, {}, kReadAnew);
    if (!bodies_[old]) return copy_list(nodes);
    const Id outer = skipped_;
    skipped_ = make(Op::variable, ir::kBool, {}, kReadAnew);
    copy_list(nodes);
    skipped_ = outer;
    const Op last = from_.nodes[nodes.back()].op;
    if (last != Op::barrier && last != Op::break_ && last != Op::return_) make(Op::barrier, ir::kNothing, {});
  }

  void copy_list(Nodes nodes) {
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      visit(nodes[at]);
      follow(nodes[at]);
      if (misses_rest(nodes[at])) return spread(takes_rest(), nodes.subspan(at + 1));
    }
  }

  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (node.op == Op::return_ && leaves_[id]) {
      set(gone_, constant(ir::kBool, 1));
      if (loops_ != 0) make(Op::break_, ir::kNothing, {});
    } else if (node.op == Op::continue_ && skips_[id]) {
      set(skipped_, constant(ir::kBool, 1));
    } else if (node.op == Op::if_ && meets_[id]) {
      const Id condition = now_[node.arguments[0]];
      spread(condition, node.low());
      spread(unary(Op::bit_not, condition), node.high());
    } else if (node.op == Op::loop) {
      ++loops_;
      Rewriter::visit(id);
      --loops_;
    } else {
      Rewriter::visit(id);
    }
  }

  // Whether some items do not run what stands behind the node in its block.
  bool misses_rest(Id id) const { return skips_[id] || (leaves_[id] && loops_ == 0); }
  // Which do.
  Id takes_rest() { return unary(Op::bit_not, get(loops_ == 0 ? gone_ : skipped_)); }

  // Behind a loop in a loop: who returned in the inner one leaves the outer one.
  void follow(Id id) {
    if (leaves_[id] && loops_ != 0 && from_.nodes[id].op == Op::loop)
      if_then(get(gone_), [&] { make(Op::break_, ir::kNothing, {}); });
  }

  void spread(Id holds, std::uint32_t block) {
    if (block != kNone) spread(holds, from_.blocks[block].nodes);
  }

  // Copies nodes that run where `holds` is true. Behind a node that some items do not go on from, the rest
  // runs where they did.
  void spread(Id holds, Nodes nodes) {
    while (!nodes.empty()) {
      const Id condition = make(Op::variable, ir::kBool, {}, kReadAnew);
      set(condition, holds);
      nodes = nodes.subspan(spread_some(condition, nodes));
      if (!nodes.empty()) holds = binary(Op::bit_and, get(condition), takes_rest());
    }
  }

  // Copies nodes that run where the variable `condition` is true, up to and with the first that some items do
  // not go on from. How many these are.
  std::size_t spread_some(Id condition, Nodes nodes) {
    std::size_t at = 0;
    while (at < nodes.size()) {
      const std::size_t begin = at;
      const bool meets = meets_[nodes[at]];
      do ++at;
      while (!meets && !misses_rest(nodes[at - 1]) && at < nodes.size() && !meets_[nodes[at]]);
      if (meets) {
        meet(condition, nodes[begin]);
      } else {
        const std::uint32_t end = at < nodes.size() ? place_[nodes[at]] : kNone;
        copy_stretch(condition, nodes.subspan(begin, at - begin), end);
      }
      follow(nodes[at - 1]);
      if (misses_rest(nodes[at - 1])) break;
    }
    return at;
  }

  void meet(Id condition, Id id) {
    const Node& node = from_.nodes[id];
    if (node.op == Op::barrier) {
      make(Op::barrier, ir::kNothing, {});
    } else if (node.op == Op::if_) {
      const Id inner = now_[node.arguments[0]];
      spread(binary(Op::bit_and, get(condition), inner), node.low());
      spread(binary(Op::bit_and, get(condition), unary(Op::bit_not, inner)), node.high());
    } else {
      const Id loop = make(Op::loop, ir::kNothing, {});
      ++loops_;
      const std::uint32_t body = in_block([&] {
        if_then(unary(Op::bit_not, get(condition)), [&] { make(Op::break_, ir::kNothing, {}); });
        copy_nodes(node.low());
      });
      const std::uint32_t continuing = node.high() == kNone ? kNone : copy_block(node.high());
      --loops_;
      to_.nodes[loop].immediate = ir::pack(body, continuing);
    }
  }

  // Copies nodes without a barrier that run where the variable `condition` is true. What is used at the place
  // `end` or behind it is kept in variables.
  void copy_stretch(Id condition, Nodes nodes, std::uint32_t end) {
    std::vector<std::pair<Id, Id>> kept;  // values, and where they are kept
    for (const Id id : nodes) {
      const Node& node = from_.nodes[id];
      if (node.op == Op::variable) {
        Rewriter::visit(id);
      } else if (node.type != ir::kNothing && last_use_[id] >= end) {
        kept.emplace_back(id, make(Op::variable, node.type, {}));
      }
    }
    if_then(get(condition), [&] {
      for (const Id id : nodes) {
        if (from_.nodes[id].op != Op::variable) visit(id);
      }
      for (const auto& [value, variable] : kept) set(variable, now_[value]);
    });
    for (const auto& [value, variable] : kept) now_[value] = get(variable);
  }

  std::uint32_t next_place_ = 1;
  std::uint32_t last_barrier_ = 0;  // its place
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> last_use_;  // 0: none
  std::vector<bool> meets_;
  std::vector<bool> leaves_;
  std::vector<bool> skips_;
  std::vector<bool> bodies_;  // by block: of a loop that holds a barrier
  bool any_leaves_ = false;
  Id gone_ = kNone;          // a variable: the item returned
  Id skipped_ = kNone;       // the same: it continued the loop that is copied
  std::uint32_t loops_ = 0;  // around the node that is copied
};

}  // namespace

Kernel lower_branches(const Kernel& kernel) { return Branches(kernel).run(); }

}  // namespace collet::emit
