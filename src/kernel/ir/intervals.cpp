// One walk: a value's bounds come from those of its arguments, and variables have none.

#include "kernel/ir/intervals.hpp"

#include <algorithm>

#include "kernel/ir/blocks.hpp"

namespace collet::ir {
namespace {

constexpr std::uint64_t kMost = 0x7fffffffu;

Bounds checked(std::uint64_t low, std::uint64_t high) {
  return low <= high && high <= kMost ? Bounds({low, high}) : std::nullopt;
}

// Threads: one at a time.
class Transfer {
 public:
  Transfer(const Kernel& kernel, const Node& node, const std::vector<Bounds>& found)
      : kernel_(kernel), node_(node), found_(found) {}

  Bounds run() const {
    const Scalar scalar = node_.type.scalar;
    if (!is_integer(scalar) || bits(scalar) < 32 || node_.type.width != 1) return std::nullopt;
    switch (node_.op) {
      case Op::constant: return checked(node_.immediate, node_.immediate);
      case Op::local_id: return checked(0, kernel_.group[node_.immediate] - 1);
      case Op::group_size: return checked(kernel_.group[node_.immediate], kernel_.group[node_.immediate]);
      case Op::range: return counter();
      case Op::convert:
      case Op::bitcast: return moved(kernel_.nodes[node_.arguments[0]].type.scalar);
      case Op::select: {
        const Bounds a = of(1);
        const Bounds b = of(2);
        if (!a || !b) return std::nullopt;
        return checked(std::min(a->low, b->low), std::max(a->high, b->high));
      }
      default: return is_arithmetic(node_.op) && node_.count == 2 ? two() : std::nullopt;
    }
  }

 private:
  Bounds of(std::size_t argument) const { return found_[node_.arguments[argument]]; }

  Bounds moved(Scalar from) const {
    if (!is_integer(from)) return std::nullopt;
    if (bits(from) < 32 && !is_signed(from)) return checked(0, (std::uint64_t{1} << bits(from)) - 1);
    return of(0);
  }

  Bounds counter() const {
    const Bounds begin = of(0);
    const Bounds end = of(1);
    if (!end || end->high == 0) return std::nullopt;
    if (!begin) return is_signed(node_.type.scalar) ? std::nullopt : checked(0, end->high - 1);
    return checked(begin->low, std::max(begin->low, end->high - 1));
  }

  Bounds two() const {
    const Bounds a = of(0);
    const Bounds b = of(1);
    const Op op = node_.op;
    const bool positive = !is_signed(node_.type.scalar);
    // One side is enough for these.
    if (op == Op::bit_and && (a || b)) return checked(0, std::min(a ? a->high : kMost, b ? b->high : kMost));
    if (op == Op::rem && positive && b && b->low > 0)
      return checked(0, std::min(a ? a->high : kMost, b->high - 1));
    if (op == Op::min && positive && (a || b))
      return checked(0, std::min(a ? a->high : kMost, b ? b->high : kMost));
    if (!a || !b) return std::nullopt;
    switch (op) {
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

  const Kernel& kernel_;
  const Node& node_;
  const std::vector<Bounds>& found_;
};

// Threads: one at a time.
class Search {
 public:
  explicit Search(const Kernel& kernel) : kernel_(kernel), found_(kernel.nodes.size()) {}

  std::vector<Bounds> run() {
    block(0);
    return std::move(found_);
  }

 private:
  // A counter stays between its ends in lanes that run; only where all lanes count together are those all.
  bool counts_together(const Node& node) const {
    return std::all_of(node.arguments.begin(), node.arguments.begin() + node.count,
                       [&](Id id) { return kernel_.nodes[id].op == Op::constant; });
  }

  void block(std::uint32_t index) {
    for (const Id id : kernel_.blocks[index].nodes) {
      const Node& node = kernel_.nodes[id];
      if (node.op != Op::range || counts_together(node)) found_[id] = bounds_of(kernel_, node, found_);
      for_blocks(node, [&](std::uint32_t inner) { block(inner); });
    }
  }

  const Kernel& kernel_;
  std::vector<Bounds> found_;
};

}  // namespace

Bounds bounds_of(const Kernel& kernel, const Node& node, const std::vector<Bounds>& found) {
  return Transfer(kernel, node, found).run();
}

std::vector<Bounds> find_intervals(const Kernel& kernel) { return Search(kernel).run(); }

}  // namespace collet::ir
