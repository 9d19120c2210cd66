// Barriers taken out of branches, for compilers that thread later branches into those that hold one: what
// stands between two barriers of a branch becomes a branch of its own, and a loop that holds one asks inside.

#include <algorithm>

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Items that come to a barrier together agree on the condition of its branch. The condition is a value and
// does not change, so that it can be asked for again.
//
// Threads: one at a time.
class Branches : public Rewriter {
 public:
  explicit Branches(const Kernel& from)
      : Rewriter(from), place_(from.nodes.size()), last_use_(from.nodes.size()), meets_(from.nodes.size()) {
    scan(0);
  }

 private:
  using Nodes = std::span<const Id>;

  // Whether the block holds a barrier. Numbers its nodes in the order in which they stand.
  bool scan(std::uint32_t block) {
    bool meets = false;
    for (const Id id : from_.blocks[block].nodes) {
      const Node& node = from_.nodes[id];
      place_[id] = next_place_++;
      for (std::uint8_t i = 0; i < node.count; ++i) last_use_[node.arguments[i]] = place_[id];
      const std::uint32_t blocks = ir::block_count(node.op);
      const bool first = blocks >= 1 && scan(node.low());
      const bool second = blocks == 2 && node.high() != kNone && scan(node.high());
      meets_[id] = node.op == Op::barrier || first || second;
      meets = meets || meets_[id];
    }
    return meets;
  }

  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (node.op != Op::if_ || !meets_[id]) return Rewriter::visit(id);
    const Id condition = now_[node.arguments[0]];
    spread(condition, node.low());
    spread(unary(Op::bit_not, condition), node.high());
  }

  // Copies a block that runs where `condition` holds.
  void spread(Id condition, std::uint32_t block) {
    if (block == kNone) return;
    const Nodes nodes = from_.blocks[block].nodes;
    for (std::size_t at = 0; at < nodes.size();) {
      if (meets_[nodes[at]]) {
        meet(condition, nodes[at++]);
        continue;
      }
      const std::size_t begin = at;
      while (at < nodes.size() && !meets_[nodes[at]]) ++at;
      const std::uint32_t end = at < nodes.size() ? place_[nodes[at]] : kNone;
      copy_stretch(condition, nodes.subspan(begin, at - begin), end);
    }
  }

  void meet(Id condition, Id id) {
    const Node& node = from_.nodes[id];
    if (node.op == Op::barrier) {
      make(Op::barrier, ir::kNothing, {});
    } else if (node.op == Op::if_) {
      const Id inner = now_[node.arguments[0]];
      spread(binary(Op::bit_and, condition, inner), node.low());
      spread(binary(Op::bit_and, condition, unary(Op::bit_not, inner)), node.high());
    } else {
      const Id stop = unary(Op::bit_not, condition);
      const Id loop = make(Op::loop, ir::kNothing, {});
      const std::uint32_t body = in_block([&] {
        if_then(stop, [&] { make(Op::break_, ir::kNothing, {}); });
        copy_nodes(node.low());
      });
      const std::uint32_t continuing = node.high() == kNone ? kNone : copy_block(node.high());
      to_.nodes[loop].immediate = ir::pack(body, continuing);
    }
  }

  // Copies nodes without a barrier. What is used at the place `end` or behind it is kept in variables.
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
    if_then(condition, [&] {
      for (const Id id : nodes) {
        if (from_.nodes[id].op != Op::variable) visit(id);
      }
      for (const auto& [value, variable] : kept) set(variable, now_[value]);
    });
    for (const auto& [value, variable] : kept) now_[value] = get(variable);
  }

  std::uint32_t next_place_ = 1;
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> last_use_;  // 0: none
  std::vector<bool> meets_;
};

}  // namespace

Kernel lower_branches(const Kernel& kernel) { return Branches(kernel).run(); }

}  // namespace collet::emit
