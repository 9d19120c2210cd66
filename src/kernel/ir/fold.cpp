// Folding of constants.

#include <algorithm>

#include "kernel/ir/blocks.hpp"
#include "kernel/ir/eval.hpp"
#include "kernel/ir/passes.hpp"
#include "kernel/ir/table.hpp"

namespace collet::ir {
namespace {

// Threads: one at a time.
class Folder {
 public:
  explicit Folder(Kernel& kernel) : kernel_(kernel), same_(kernel.nodes.size()) {
    for (Id id = 0; id < same_.size(); ++id) same_[id] = id;
  }

  void run() { block(0); }

 private:
  void block(std::uint32_t index) {
    std::vector<Id> kept;
    for (const Id id : kernel_.blocks[index].nodes) {
      Node& node = kernel_.nodes[id];
      for (std::uint8_t i = 0; i < node.count; ++i) node.arguments[i] = same_[node.arguments[i]];
      if (node.op == Op::if_ && constant(node.arguments[0])) {
        const std::uint32_t taken =
            kernel_.nodes[node.arguments[0]].immediate != 0 ? node.low() : node.high();
        if (taken == kNone) continue;
        block(taken);
        const std::vector<Id>& inside = kernel_.blocks[taken].nodes;
        kept.insert(kept.end(), inside.begin(), inside.end());
        if (!inside.empty() && rule(kernel_.nodes[inside.back()].op) == Rule::jump)
          break;  // the rest is dead
        continue;
      }
      kept.push_back(id);
      if (is_pure(node.op)) simplify(id);
      if (node.op == Op::load) look_up(id);
      for_blocks(node, [&](std::uint32_t inner) { block(inner); });
    }
    kernel_.blocks[index].nodes = std::move(kept);
  }

  bool constant(Id id) const { return kernel_.nodes[id].op == Op::constant; }
  bool is(Id id, std::uint64_t bits) const { return constant(id) && kernel_.nodes[id].immediate == bits; }

  // An element of a table that is known.
  void look_up(Id id) {
    Node& node = kernel_.nodes[id];
    const Memory& memory = kernel_.memories[node.low()];
    if (memory.space != Space::table || node.type != memory.element || !constant(node.arguments[0])) return;
    const std::uint64_t index = kernel_.nodes[node.arguments[0]].immediate;
    const std::uint64_t bits = index < memory.count ? table_element(memory, index) : 0;
    node = Node{.op = Op::constant, .type = node.type, .immediate = bits};
  }

  void simplify(Id id) {
    Node& node = kernel_.nodes[id];
    if (node.count == 0) return;
    if (node.op == Op::extract && kernel_.nodes[node.arguments[0]].op == Op::compose) {
      same_[id] = kernel_.nodes[node.arguments[0]].arguments[node.immediate];
      return;
    }
    if (node.op == Op::select && node.arguments[1] == node.arguments[2]) {
      same_[id] = node.arguments[1];
      return;
    }
    if (node.op == Op::select && constant(node.arguments[0])) {
      same_[id] = kernel_.nodes[node.arguments[0]].immediate != 0 ? node.arguments[1] : node.arguments[2];
      return;
    }
    if (node.type.width != 1) return;
    if (compute(id)) return;
    if (is_integer(node.type.scalar)) identity(id);
  }

  bool compute(Id id) {
    Node& node = kernel_.nodes[id];
    if (node.count > 3) return false;
    std::array<std::uint64_t, 3> values{};
    for (std::uint8_t i = 0; i < node.count; ++i) {
      const Node& argument = kernel_.nodes[node.arguments[i]];
      if (argument.op != Op::constant) return false;
      values[i] = argument.immediate;
    }
    const Scalar from = kernel_.nodes[node.arguments[0]].type.scalar;
    // Float results depend on how the target treats denormals; an integer never becomes one.
    const bool whole = node.op == Op::convert && is_integer(from);
    if (!whole && (is_float(from) || is_float(node.type.scalar))) return false;
    const auto result = evaluate(node.op, from, node.type.scalar, values);
    if (!result) return false;
    node = Node{.op = Op::constant, .type = node.type, .immediate = *result};
    return true;
  }

  // Integers only: x + 0.0 is not x where x is -0.0.
  void identity(Id id) {
    const Node& node = kernel_.nodes[id];
    const Id a = node.arguments[0];
    const Id b = node.count > 1 ? node.arguments[1] : kNone;
    switch (node.op) {
      case Op::add:
      case Op::bit_or:
      case Op::bit_xor:
        if (is(b, 0)) same_[id] = a;
        if (is(a, 0)) same_[id] = b;
        break;
      case Op::sub:
      case Op::shl:
      case Op::shr:
        if (is(b, 0)) same_[id] = a;
        break;
      case Op::mul:
        if (is(b, 1)) same_[id] = a;
        if (is(a, 1)) same_[id] = b;
        if (is(a, 0)) same_[id] = a;
        if (is(b, 0)) same_[id] = b;
        break;
      case Op::div:
        if (is(b, 1)) same_[id] = a;
        break;
      default: break;
    }
  }

  Kernel& kernel_;
  std::vector<Id> same_;  // what stands for a node
};

}  // namespace

void fold(Kernel& kernel) {
  for (Function& function : kernel.functions) Folder(function.body).run();
  Folder(kernel).run();
}

}  // namespace collet::ir
