// One walk: a value's bounds come from those of its arguments, and variables have none.

#include "backends/cpu/native/intervals.hpp"

#include <algorithm>

#include "kernel/ir/blocks.hpp"

namespace collet::backend::cpu::native {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;
using ir::Scalar;
using Bounds = std::optional<Interval>;

constexpr std::uint64_t kMost = 0x7fffffffu;

Bounds checked(std::uint64_t low, std::uint64_t high) {
  return low <= high && high <= kMost ? Bounds({low, high}) : std::nullopt;
}

// Threads: one at a time.
class Search {
 public:
  explicit Search(const ir::Kernel& kernel) : kernel_(kernel), found_(kernel.nodes.size()) {}

  std::vector<Bounds> run() {
    block(0);
    return std::move(found_);
  }

 private:
  Bounds of(const Node& node, std::size_t argument) const { return found_[node.arguments[argument]]; }

  Bounds two(const Node& node) const {
    const Bounds a = of(node, 0);
    const Bounds b = of(node, 1);
    // One side is enough for these.
    if (node.op == Op::bit_and && (a || b))
      return checked(0, std::min(a ? a->high : kMost, b ? b->high : kMost));
    if (node.op == Op::rem && !ir::is_signed(node.type.scalar) && b && b->low > 0)
      return checked(0, std::min(a ? a->high : kMost, b->high - 1));
    if (node.op == Op::min && !ir::is_signed(node.type.scalar) && (a || b))
      return checked(0, std::min(a ? a->high : kMost, b ? b->high : kMost));
    if (!a || !b) return std::nullopt;
    switch (node.op) {
      case Op::add: return checked(a->low + b->low, a->high + b->high);
      case Op::sub: return a->low >= b->high ? checked(a->low - b->high, a->high - b->low) : std::nullopt;
      case Op::mul: return checked(a->low * b->low, a->high * b->high);
      case Op::div: return b->low > 0 ? checked(a->low / b->high, a->high / b->low) : std::nullopt;
      case Op::rem: return b->low > 0 ? checked(0, std::min(a->high, b->high - 1)) : std::nullopt;
      case Op::shl: return b->high < 31 ? checked(a->low << b->low, a->high << b->high) : std::nullopt;
      case Op::shr: return b->high < 31 ? checked(a->low >> b->high, a->high >> b->low) : std::nullopt;
      case Op::min: return checked(std::min(a->low, b->low), std::min(a->high, b->high));
      case Op::max: return checked(std::max(a->low, b->low), std::max(a->high, b->high));
      default: return std::nullopt;
    }
  }

  // A counter stays between its ends in lanes that run; only where all lanes count together are those all.
  Bounds range(const Node& node, bool together) const {
    const Bounds begin = of(node, 0);
    const Bounds end = of(node, 1);
    if (!together || !begin || !end || end->high == 0) return std::nullopt;
    return checked(begin->low, std::max(begin->low, end->high - 1));
  }

  Bounds bounds(const Node& node) const {
    const Scalar scalar = node.type.scalar;
    if (!ir::is_integer(scalar) || ir::bits(scalar) < 32) return std::nullopt;
    switch (node.op) {
      case Op::constant: return checked(node.immediate, node.immediate);
      case Op::local_id: return checked(0, kernel_.group[node.immediate] - 1);
      case Op::group_size: return checked(kernel_.group[node.immediate], kernel_.group[node.immediate]);
      case Op::range: {
        const bool counted = kernel_.nodes[node.arguments[0]].op == Op::constant &&
                             kernel_.nodes[node.arguments[1]].op == Op::constant &&
                             kernel_.nodes[node.arguments[2]].op == Op::constant;
        return range(node, counted);
      }
      case Op::convert:
      case Op::bitcast:
        if (!ir::is_integer(kernel_.nodes[node.arguments[0]].type.scalar)) return std::nullopt;
        return of(node, 0);
      case Op::select: {
        const Bounds a = of(node, 1);
        const Bounds b = of(node, 2);
        if (!a || !b) return std::nullopt;
        return checked(std::min(a->low, b->low), std::max(a->high, b->high));
      }
      default: return ir::is_arithmetic(node.op) && node.count == 2 ? two(node) : std::nullopt;
    }
  }

  void block(std::uint32_t index) {
    for (const Id id : kernel_.blocks[index].nodes) {
      const Node& node = kernel_.nodes[id];
      found_[id] = bounds(node);
      ir::for_blocks(node, [&](std::uint32_t inner) { block(inner); });
    }
  }

  const ir::Kernel& kernel_;
  std::vector<Bounds> found_;
};

}  // namespace

std::vector<Bounds> find_intervals(const ir::Kernel& kernel) { return Search(kernel).run(); }

}  // namespace collet::backend::cpu::native
