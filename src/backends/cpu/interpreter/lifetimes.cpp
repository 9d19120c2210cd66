// Numbers the nodes forwards, then finds last uses backwards.

#include "backends/cpu/interpreter/lifetimes.hpp"

#include <algorithm>
#include <utility>

#include "kernel/ir/blocks.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;

// Threads: one at a time.
class Walk {
 public:
  Walk(const ir::Kernel& kernel, const Shapes& shapes) : kernel_(kernel), shapes_(shapes) {
    const std::size_t count = kernel.nodes.size();
    found_.at.assign(count, 0);
    found_.end.assign(count, 0);
    found_.in_place.assign(count, false);
    found_.home.assign(count, ir::kNone);
    found_.done.assign(count, false);
    found_.cleared.assign(count, true);
    found_.block_end.assign(kernel.blocks.size(), 0);
    block_.assign(count, 0);
    loop_.assign(count, ir::kNone);
    found_.node_end.assign(count, 0);
    gets_.resize(count);
    sets_.resize(count);
    needed_until_.assign(count, 0);
  }

  Lifetimes run() {
    block(0, ir::kNone);
    for (auto id = order_.rbegin(); id != order_.rend(); ++id) node(*id);
    for (const Id id : order_) {
      const Node& node = kernel_.nodes[id];
      if (node.op == Op::get && found_.in_place[id]) {
        std::uint32_t& until = needed_until_[node.arguments[0]];
        until = std::max(until, found_.end[id]);
      }
      if (node.op == Op::set) find_home(id);
    }
    return std::move(found_);
  }

 private:
  void block(std::uint32_t index, Id loop) {
    for (const Id id : kernel_.blocks[index].nodes) {
      const Node& node = kernel_.nodes[id];
      order_.push_back(id);
      found_.at[id] = found_.end[id] = found_.count++;
      block_[id] = index;
      loop_[id] = loop;
      if (node.op == Op::get) gets_[node.arguments[0]].push_back(id);
      if (node.op == Op::set) note_set(id);
      if (ir::rule(node.op) == ir::Rule::jump) jumps_.push_back(id);
      if (ir::block_count(node.op) == 0) continue;
      const Id inside = node.op == Op::if_ ? loop : id;
      ir::for_blocks(node, [&](std::uint32_t inner) { block(inner, inside); });
      found_.node_end[id] = found_.count++;
      if (node.op == Op::range) found_.end[id] = found_.node_end[id];
    }
    found_.block_end[index] = found_.count++;
  }

  // Whether one of the nodes, which are in order, stands between two positions.
  bool any_between(const std::vector<Id>& nodes, std::uint32_t after, std::uint32_t before) const {
    const auto next = std::upper_bound(nodes.begin(), nodes.end(), after, [&](std::uint32_t position, Id id) {
      return position < found_.at[id];
    });
    return next != nodes.end() && found_.at[*next] < before;
  }

  void note_set(Id id) {
    const Id variable = kernel_.nodes[id].arguments[0];
    if (sets_[variable].empty() && gets_[variable].empty() && block_[id] == block_[variable]) {
      found_.cleared[variable] = false;
    }
    sets_[variable].push_back(id);
  }

  // A value from before a loop is needed until the loop is over.
  std::uint32_t needed(Id use, Id value) const {
    std::uint32_t position = found_.at[use];
    if (kernel_.nodes[use].op == Op::range) position = found_.node_end[use];
    for (Id loop = loop_[use]; loop != ir::kNone; loop = loop_[loop]) {
      if (found_.at[value] < found_.at[loop]) position = std::max(position, found_.node_end[loop]);
    }
    return position;
  }

  void node(Id id) {
    const Node& node = kernel_.nodes[id];
    if (node.op == Op::variable) {
      found_.end[id] = found_.block_end[block_[id]];
      return;
    }
    if (node.op == Op::get) {
      found_.in_place[id] = !any_between(sets_[node.arguments[0]], found_.at[id], found_.end[id]);
      return;
    }
    // It shares the registers of its arguments.
    const bool borrows = node.op == Op::bitcast || node.op == Op::extract || node.op == Op::compose ||
                         (node.type != ir::kNothing && shapes_.value[id] == Shape::linear);
    for (std::uint8_t i = node.op == Op::set ? 1 : 0; i < node.count; ++i) {
      const Id argument = node.arguments[i];
      std::uint32_t position = needed(id, argument);
      if (borrows) position = std::max(position, found_.end[id]);
      found_.end[argument] = std::max(found_.end[argument], position);
    }
  }

  // Reads lane l of its arguments to make lane l of its one register, in one instruction.
  bool writes_once(const Node& node) const {
    if (node.op == Op::load) return true;
    switch (node.op) {
      case Op::bitcast:
      case Op::extract:
      case Op::compose:
      case Op::any:
      case Op::all: return false;
      default: return ir::is_pure(node.op) && node.count != 0;
    }
  }

  void find_home(Id set) {
    const Id variable = kernel_.nodes[set].arguments[0];
    const Id value = kernel_.nodes[set].arguments[1];
    const Node& node = kernel_.nodes[value];
    if (!shapes_.together[set] || node.type.width != 1 || !writes_once(node) ||
        shapes_.value[value] != shapes_.value[variable] || found_.end[value] > found_.at[set] ||
        block_[value] != block_[set] || found_.at[variable] > found_.at[value] ||
        found_.home[value] != ir::kNone) {
      return;
    }
    const std::uint32_t from = found_.at[value];
    if (any_between(gets_[variable], from, found_.at[set]) ||
        any_between(sets_[variable], from, found_.at[set]) || any_between(jumps_, from, found_.at[set]) ||
        needed_until_[variable] > from) {
      return;
    }
    found_.home[value] = variable;
    found_.done[set] = true;
  }

  const ir::Kernel& kernel_;
  const Shapes& shapes_;
  Lifetimes found_;
  std::vector<Id> order_;
  std::vector<std::uint32_t> block_;   // of each node
  std::vector<Id> loop_;               // around each node
  std::vector<std::vector<Id>> gets_;  // of each variable
  std::vector<std::vector<Id>> sets_;
  std::vector<Id> jumps_;
  // Of each variable: the last position that needs what was read of it in place, so far.
  std::vector<std::uint32_t> needed_until_;
};

}  // namespace

Lifetimes find_lifetimes(const ir::Kernel& kernel, const Shapes& shapes) {
  return Walk(kernel, shapes).run();
}

}  // namespace collet::backend::cpu::interpreter
