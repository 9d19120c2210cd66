// Nesting, block by block: values wait for their use, and lose their chance where what they read may change.

#include "kernel/emit/nesting.hpp"

#include <unordered_map>
#include <utility>

#include "kernel/ir/blocks.hpp"

namespace collet::emit {
namespace {

using ir::Id;
using ir::Kernel;
using ir::Node;
using ir::Op;

// A value that could be written at its use.
struct Waiting {
  std::uint32_t block;  // in which alone it may be used
  std::uint32_t nodes = 1;
  bool reads_memory = false;
  std::vector<Id> variables = {};  // that it reads
};

// Threads: one at a time.
class Nesting {
 public:
  Nesting(const Kernel& kernel, const std::vector<std::uint32_t>& uses, const NestingRules& rules)
      : kernel_(kernel), uses_(uses), rules_(rules), nested_(kernel.nodes.size()) {}

  std::vector<bool> run() {
    block(0);
    return std::move(nested_);
  }

 private:
  bool is_float_arithmetic(const Node& node) const {
    return ir::is_arithmetic(node.op) && ir::is_float(node.type.scalar);
  }

  bool may_wait(Id id) const {
    const Node& node = kernel_.nodes[id];
    if (uses_[id] != 1 || node.op == Op::constant || node.op == Op::argument) return false;
    // A constant for GLSL and WGSL, which compute what is computed from it and refuse indices out of range.
    if (node.op == Op::group_size) return false;
    if (node.op == Op::load) return !kernel_.memories[node.low()].broadcasts;  // a barrier in some languages
    return ir::is_pure(node.op) || node.op == Op::get;
  }

  // Whether `user` takes the text of the value `id`.
  bool may_nest(const Node& user, Id id, const Waiting& value) const {
    // These two are written further down, with the call or at the end of the function.
    const bool delayed = user.op == Op::pass || user.op == Op::give;
    if (delayed && (value.reads_memory || !value.variables.empty())) return false;
    // What is more than a name may become a branch there, which no driver's vectoriser likes.
    const bool arm = user.op == Op::select && id != user.arguments[0];
    if (arm && (value.reads_memory || value.nodes > 2 || ir::is_arithmetic(kernel_.nodes[id].op)))
      return false;
    if (user.op == Op::atomic_compare_exchange && rules_.repeats_exchange) return false;
    if (rules_.exact_names && is_float_arithmetic(kernel_.nodes[id]))
      return user.op == Op::set || is_float_arithmetic(user);
    return true;
  }

  void visit(Id id, std::uint32_t block) {
    const Node& node = kernel_.nodes[id];
    Waiting own{.block = block, .reads_memory = node.op == Op::load};
    if (node.op == Op::get) own.variables.push_back(node.arguments[0]);
    for (std::uint8_t i = 0; i < node.count; ++i) {
      const auto found = waiting_.find(node.arguments[i]);
      if (found == waiting_.end()) continue;
      take(node, found->first, found->second, own);
      waiting_.erase(found);
    }
    if (node.op == Op::set) {
      forget(readers_of_[node.arguments[0]]);
    } else if (ir::block_count(node.op) != 0) {
      forget(memory_readers_);
      for (auto& [variable, readers] : readers_of_) forget(readers);
      readers_of_.clear();
      ir::for_blocks(node, [&](std::uint32_t inner) { this->block(inner); });
    } else if (ir::has_effect(node.op) || ir::is_together(node.op)) {
      forget(memory_readers_);
    }
    if (may_wait(id)) wait(id, std::move(own));
  }

  void take(const Node& user, Id id, const Waiting& value, Waiting& own) {
    if (value.block != own.block || own.nodes + value.nodes > rules_.most || !may_nest(user, id, value))
      return;
    nested_[id] = true;
    own.nodes += value.nodes;
    own.reads_memory = own.reads_memory || value.reads_memory;
    own.variables.insert(own.variables.end(), value.variables.begin(), value.variables.end());
  }

  void wait(Id id, Waiting own) {
    if (own.reads_memory) memory_readers_.push_back(id);
    for (const Id variable : own.variables) readers_of_[variable].push_back(id);
    waiting_.emplace(id, std::move(own));
  }

  // What they read may change here: they keep their names.
  void forget(std::vector<Id>& readers) {
    for (const Id id : readers) waiting_.erase(id);
    readers.clear();
  }

  void block(std::uint32_t index) {
    for (const Id id : kernel_.blocks[index].nodes) visit(id, index);
  }

  const Kernel& kernel_;
  const std::vector<std::uint32_t>& uses_;
  const NestingRules& rules_;
  std::vector<bool> nested_;
  std::unordered_map<Id, Waiting> waiting_;
  std::vector<Id> memory_readers_;  // of those that wait, and of some that no longer do
  std::unordered_map<Id, std::vector<Id>> readers_of_;
};

}  // namespace

std::vector<bool> nested_values(const Kernel& kernel, const std::vector<std::uint32_t>& uses,
                                const NestingRules& rules) {
  return Nesting(kernel, uses, rules).run();
}

}  // namespace collet::emit
