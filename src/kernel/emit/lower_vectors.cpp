// Vectors become their components.

#include <algorithm>

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Scalariser : public Rewriter {
 public:
  explicit Scalariser(const Kernel& from) : Rewriter(from), parts_(from.nodes.size()) {
    for (Memory& memory : to_.memories) memory.element.width = 1;
  }

 private:
  Id part(Id old, std::size_t component) const {
    const std::vector<Id>& parts = parts_[old];
    return parts[std::min(component, parts.size() - 1)];
  }

  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    std::vector<Id>& parts = parts_[id];
    switch (node.op) {
      case Op::compose:
        for (std::uint8_t i = 0; i < node.count; ++i) parts.push_back(part(node.arguments[i], 0));
        return;
      case Op::extract: parts.push_back(part(node.arguments[0], node.immediate)); return;
      case Op::any:
      case Op::all: {
        Id made = part(node.arguments[0], 0);
        for (std::size_t i = 1; i < parts_[node.arguments[0]].size(); ++i)
          made = binary(node.op == Op::any ? Op::bit_or : Op::bit_and, made, part(node.arguments[0], i));
        parts.push_back(made);
        return;
      }
      default: break;
    }
    if (ir::block_count(node.op) != 0) {
      for (std::uint8_t i = 0; i < node.count; ++i) now_[node.arguments[i]] = part(node.arguments[i], 0);
      // A range's counter is the node that comes next, and its body asks for it.
      if (node.type != ir::kNothing) parts.push_back(static_cast<Id>(to_.nodes.size()));
      Rewriter::visit(id);
      return;
    }
    for (std::size_t i = 0; i < width(node); ++i) parts.push_back(component(node, i));
  }

  // How often the node happens.
  std::size_t width(const Node& node) const {
    std::size_t most = node.type.width;
    for (std::uint8_t i = 0; i < node.count; ++i) most = std::max(most, parts_[node.arguments[i]].size());
    return most;
  }

  Id component(const Node& node, std::size_t index) {
    Node one = node;
    one.type.width = 1;
    for (std::uint8_t i = 0; i < node.count; ++i) one.arguments[i] = part(node.arguments[i], index);
    if (node.op == Op::load || node.op == Op::store || node.op == Op::parameter) {
      const Scalar scalar = node.op == Op::store ? type(one.arguments[1]).scalar : node.type.scalar;
      const auto offset = static_cast<std::uint32_t>(index) * (ir::bits(scalar) / 8);
      one.immediate = ir::pack(node.low(), node.high() + offset);
    }
    return append(one);
  }

  std::vector<std::vector<Id>> parts_;
};

}  // namespace

Kernel lower_vectors(const Kernel& kernel) { return Scalariser(kernel).run(); }

}  // namespace collet::emit
