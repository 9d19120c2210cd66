// One walk in the order of execution. What is known of a value is a constant that it can't exceed, the
// buffers whose length it is below, and a term that a launch can compute; what a condition adds to that ends
// with the block.

#include "kernel/ir/inside.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "kernel/ir/blocks.hpp"
#include "kernel/ir/intervals.hpp"

namespace collet::ir {
namespace {

using Buffers = std::vector<std::uint32_t>;  // sorted

Buffers both(const Buffers& a, const Buffers& b) {
  Buffers all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

Buffers common(const Buffers& a, const Buffers& b) {
  Buffers shared;
  std::ranges::set_intersection(a, b, std::back_inserter(shared));
  return shared;
}

// Threads: one at a time.
class Walk {
 public:
  explicit Walk(const Kernel& kernel)
      : kernel_(kernel),
        equal_(find_equal(kernel)),
        bounds_(kernel.nodes.size()),
        below_(kernel.nodes.size()),
        least_(kernel.nodes.size()),
        most_(kernel.nodes.size(), kNone),
        found_{.always = std::vector<bool>(kernel.nodes.size()),
               .ceiling = std::vector<std::uint32_t>(kernel.nodes.size(), kNone),
               .terms = {}} {}

  Inside run() {
    block(0, kNone, true);
    return std::move(found_);
  }

 private:
  struct Known {
    Id id;
    Bounds bounds;
    Buffers below;
    std::uint64_t least;
    std::uint32_t most;
  };

  // Walks a block that runs where the condition, if there is one, is `holds`.
  void block(std::uint32_t index, Id condition, bool holds) {
    const std::size_t before = replaced_.size();
    if (condition != kNone) assume_all(condition, holds);
    for (const Id id : kernel_.blocks[index].nodes) visit(id);
    while (replaced_.size() != before) {
      Known& old = replaced_.back();
      bounds_[old.id] = old.bounds;
      below_[old.id] = std::move(old.below);
      least_[old.id] = old.least;
      most_[old.id] = old.most;
      replaced_.pop_back();
    }
  }

  void visit(Id id) {
    const Node& node = kernel_.nodes[id];
    if (is_access(node.op)) access(id);
    if (node.op == Op::if_) return branch(node);
    const Node named = with_equal(node);
    learn(equal_[id], bounds_of(kernel_, named, bounds_), buffers_of(named));
    for_blocks(node, [&](std::uint32_t inner) { block(inner, kNone, true); });
  }

  // The node with the first of all equal arguments.
  Node with_equal(Node node) const {
    for (std::uint8_t i = 0; i < node.count; ++i) node.arguments[i] = equal_[node.arguments[i]];
    return node;
  }

  void branch(const Node& node) {
    const Id condition = node.arguments[0];
    block(node.low(), condition, true);
    if (node.high() != kNone) return block(node.high(), condition, false);
    const std::vector<Id>& then = kernel_.blocks[node.low()].nodes;
    if (!then.empty() && rule(kernel_.nodes[then.back()].op) == Rule::jump) assume_all(condition, false);
  }

  void access(Id id) {
    const Node& node = kernel_.nodes[id];
    found_.always[id] = is_inside(node);
    if (found_.always[id] || kernel_.memories[node.low()].space != Space::buffer) return;
    steps_ = kMostSteps;
    found_.ceiling[id] = ceiling(equal_[node.arguments[0]], false);
  }

  bool is_inside(const Node& node) const {
    const Memory& memory = kernel_.memories[node.low()];
    const Id index = equal_[node.arguments[0]];
    if (memory.space == Space::buffer) {
      const bool first = bounds_[index] && bounds_[index]->high == 0;  // no buffer is empty
      return first || std::ranges::binary_search(below_[index], node.low());
    }
    return bounds_[index] && bounds_[index]->high < memory.count;
  }

  bool is(Id id, Op op) const { return kernel_.nodes[id].op == op; }
  static bool counts_up(const Node& node) {
    return node.type.width == 1 && (node.type.scalar == Scalar::u32 || node.type.scalar == Scalar::u64);
  }

  // Those that a value below `id` is below.
  Buffers beyond(Id id) const {
    if (!is(id, Op::length)) return below_[id];
    return both(below_[id], {kernel_.nodes[id].low()});
  }

  // The buffers whose length the value is below, by its arguments.
  Buffers buffers_of(const Node& node) const {
    if (!counts_up(node)) return {};
    const auto of = [&](std::size_t argument) -> const Buffers& { return below_[node.arguments[argument]]; };
    switch (node.op) {
      case Op::min:
      case Op::bit_and: return both(of(0), of(1));
      case Op::select: return common(of(1), of(2));
      case Op::div:
      case Op::shr: return of(0);
      case Op::rem: return both(of(0), beyond(node.arguments[1]));  // x % 0 is 0
      case Op::range: return beyond(node.arguments[1]);
      case Op::sub: {  // the last element
        const Node& taken = kernel_.nodes[node.arguments[1]];
        const bool last =
            is(node.arguments[0], Op::length) && taken.op == Op::constant && taken.immediate == 1;
        return last ? beyond(node.arguments[0]) : Buffers();
      }
      default: return {};
    }
  }

  // Adds what a condition says where it is `holds`.
  void assume_all(Id condition, bool holds) {
    parts_ = kMostParts;
    assume(condition, holds);
  }
  void assume(Id condition, bool holds) {
    const Node& node = kernel_.nodes[condition];
    if (node.type != kBool || parts_ == 0) return;
    --parts_;
    if (node.op == Op::bit_not) return assume(node.arguments[0], !holds);
    if (node.op == (holds ? Op::bit_and : Op::bit_or)) {
      assume(node.arguments[0], holds);
      assume(node.arguments[1], holds);
      return;
    }
    if (rule(node.op) != Rule::order && rule(node.op) != Rule::equal) return;
    const Id a = equal_[node.arguments[0]];
    const Id b = equal_[node.arguments[1]];
    switch (node.op) {
      case Op::lt: return holds ? less(a, b) : at_most(b, a);
      case Op::gt: return holds ? less(b, a) : at_most(a, b);
      case Op::ge: return holds ? at_most(b, a) : less(a, b);
      case Op::le: return holds ? at_most(a, b) : less(b, a);
      case Op::eq:
      case Op::ne:
        if (holds != (node.op == Op::eq)) return;
        at_most(a, b);
        at_most(b, a);
        return;
      default: return;
    }
  }

  void less(Id a, Id b) {
    const Bounds& most = bounds_[b];
    limit(a, most && most->high != 0 ? Bounds({0, most->high - 1}) : std::nullopt, beyond(b));
    raise(b, lower(a) + 1);
    steps_ = kMostSteps;
    const std::uint32_t end = ceiling(b, false);
    if (end == kNone) return;
    lower_ceiling(a, minus(end, 1));
    // x + c < b
    const Node& sum = kernel_.nodes[a];
    if (sum.op != Op::add || !counts_words(sum)) return;
    for (const std::size_t side : {0u, 1u}) {
      const Id more = equal_[sum.arguments[1 - side]];
      const Id value = equal_[sum.arguments[side]];
      const std::uint32_t before = is(more, Op::constant) ? ceiling(value, false) : kNone;
      if (before == kNone) continue;
      set_ceiling(value,
                  term({.what = What::less, .a = before, .b = end, .value = kernel_.nodes[more].immediate}));
    }
  }
  void at_most(Id a, Id b) {
    limit(a, bounds_[b] ? Bounds({0, bounds_[b]->high}) : std::nullopt, below_[b]);
    raise(b, lower(a));
    steps_ = kMostSteps;
    if (const std::uint32_t end = ceiling(b, false); end != kNone) lower_ceiling(a, end);
  }

  // A signed value may be negative, unless it is known not to be.
  void limit(Id id, Bounds most, const Buffers& below) {
    if (counts_up(kernel_.nodes[id])) return replace(id, narrowed(id, most), both(below_[id], below));
    if (bounds_[id]) replace(id, narrowed(id, most), below_[id]);
  }
  Bounds narrowed(Id id, Bounds most) const {
    if (!most || !bounds_[id]) return bounds_[id] ? bounds_[id] : most;
    return Interval{std::min(bounds_[id]->low, most->high), std::min(bounds_[id]->high, most->high)};
  }

  // ---- The least value of a u32, as far as it is known

  std::uint64_t lower(Id id) const {
    const Node& node = kernel_.nodes[id];
    if (!counts_words(node)) return 0;
    return std::max(least_[id], bounds_[id] ? bounds_[id]->low : 0);
  }
  void raise(Id id, std::uint64_t least) {
    if (!counts_words(kernel_.nodes[id]) || least <= least_[id]) return;
    keep(id);
    least_[id] = least;
  }

  // Whether `a` is at least `b`, as long as no sum or product that `a` is made of wraps around.
  bool at_least(Id a, Id b, int depth = 0) const {
    const Node& node = kernel_.nodes[a];
    if (a == b || (is(b, Op::constant) && lower(a) >= kernel_.nodes[b].immediate)) return true;
    if (depth == kMostDepth || (node.op != Op::add && node.op != Op::mul)) return false;
    const Id first = equal_[node.arguments[0]];
    const Id second = equal_[node.arguments[1]];
    if (node.op == Op::mul) return (second == b && lower(first) != 0) || (first == b && lower(second) != 0);
    return at_least(first, b, depth + 1) || at_least(second, b, depth + 1);
  }

  // ---- Terms

  using What = Ceiling::What;

  static bool counts_words(const Node& node) { return node.type == kU32; }

  std::uint32_t term(const Ceiling& wanted) {
    const auto known = std::ranges::find(found_.terms, wanted);
    if (known == found_.terms.end()) return found_.terms.push_back(wanted), last_term();
    return static_cast<std::uint32_t>(known - found_.terms.begin());
  }
  std::uint32_t last_term() const { return static_cast<std::uint32_t>(found_.terms.size() - 1); }
  std::uint32_t minus(std::uint32_t a, std::uint64_t value) {
    return term({.what = What::minus, .a = a, .value = value});
  }
  // Of two upper bounds, of which one may be missing.
  std::uint32_t smaller(std::uint32_t a, std::uint32_t b) {
    if (a == kNone || b == kNone || a == b) return a == kNone ? b : a;
    return term({.what = What::min, .a = a, .b = b});
  }
  std::uint32_t joined(What what, std::uint32_t a, std::uint32_t b) {
    return a == kNone || b == kNone ? kNone : term({.what = what, .a = a, .b = b});
  }

  // A term that the value does not exceed, or kNone. With `whole` nothing that is known of sums and products
  // beside their arguments is used: where the term is bounded, they do not wrap around.
  std::uint32_t ceiling(Id id, bool whole) {
    const Node& node = kernel_.nodes[id];
    if (!counts_words(node) || steps_ == 0 || found_.terms.size() > kMostTerms) return kNone;
    --steps_;
    const bool computed = node.op == Op::add || node.op == Op::mul;
    if (whole && computed) return structural(with_equal(node), true);
    std::uint32_t made = bounds_[id] ? term({.value = bounds_[id]->high}) : kNone;
    if (made == kNone || !is(id, Op::constant)) made = smaller(made, most_[id]);
    if (made != kNone && bounds_[id]) return made;
    return smaller(made, structural(with_equal(node), whole));
  }

  std::uint32_t structural(const Node& node, bool whole) {
    const auto of = [&](std::size_t argument) { return ceiling(node.arguments[argument], whole); };
    const auto fixed = [&](std::size_t argument) { return is(node.arguments[argument], Op::constant); };
    const auto constant = [&](std::size_t argument) {
      return kernel_.nodes[node.arguments[argument]].immediate;
    };
    const auto groups = [&] { return term({.what = What::group_count, .a = node.low()}); };
    switch (node.op) {
      case Op::element_count: return term({.what = What::element_count, .a = node.low()});
      case Op::group_count: return groups();
      case Op::group_id: return minus(groups(), 1);
      case Op::global_id: {
        const std::uint32_t size = term({.value = kernel_.group[node.low()]});
        return minus(joined(What::mul, groups(), size), 1);
      }
      case Op::parameter: return term({.what = What::parameter, .a = node.low(), .b = node.high()});
      case Op::length: return term({.what = What::length, .a = node.low()});
      case Op::add:
      case Op::bit_or:
      case Op::bit_xor: return joined(What::add, of(0), of(1));
      case Op::mul: return joined(What::mul, of(0), of(1));
      case Op::sub: {
        if (!at_least(node.arguments[0], node.arguments[1])) return kNone;
        const std::uint32_t a = ceiling(node.arguments[0], true);
        return a != kNone && fixed(1) ? minus(a, constant(1)) : a;
      }
      case Op::min:
      case Op::bit_and: return smaller(of(0), of(1));
      case Op::max: return joined(What::max, of(0), of(1));
      case Op::select: return joined(What::max, of(1), of(2));
      case Op::rem: {
        const std::uint32_t divisor = of(1);
        return smaller(of(0), divisor == kNone ? kNone : minus(divisor, 1));
      }
      case Op::div:
      case Op::shr: {
        const std::uint32_t a = of(0);
        const std::uint64_t by = !fixed(1)            ? 1
                                 : node.op == Op::div ? constant(1)
                                                      : std::uint64_t{1} << constant(1) % 32;
        return a == kNone || by <= 1 ? a : term({.what = What::div, .a = a, .value = by});
      }
      case Op::range: {
        const std::uint32_t end = of(1);
        return end == kNone ? kNone : minus(end, 1);
      }
      default: return kNone;
    }
  }

  void lower_ceiling(Id id, std::uint32_t most) { set_ceiling(id, smaller(most_[id], most)); }
  void set_ceiling(Id id, std::uint32_t most) {
    if (!counts_words(kernel_.nodes[id])) return;
    keep(id);
    most_[id] = most;
  }

  // ---- For the rest of the block

  void keep(Id id) { replaced_.push_back({id, bounds_[id], below_[id], least_[id], most_[id]}); }
  void replace(Id id, Bounds bounds, Buffers below) {
    keep(id);
    bounds_[id] = bounds;
    below_[id] = std::move(below);
  }
  // By the value's own arguments, beside what a condition said before it was computed.
  void learn(Id id, Bounds bounds, const Buffers& below) {
    if (!bounds && below.empty()) return;
    replace(id, bounds ? narrowed(id, bounds) : bounds_[id], both(below_[id], below));
  }

  static constexpr int kMostDepth = 8;
  static constexpr std::uint32_t kMostParts = 32;  // of a condition
  static constexpr std::uint32_t kMostSteps = 64;  // of one term
  static constexpr std::size_t kMostTerms = 256;   // of all

  const Kernel& kernel_;
  const std::vector<Id> equal_;
  std::vector<Bounds> bounds_;
  std::vector<Buffers> below_;
  std::vector<std::uint64_t> least_;
  std::vector<std::uint32_t> most_;  // terms, or kNone
  Inside found_;
  std::vector<Known> replaced_;  // what was known before, oldest first
  std::uint32_t steps_ = 0;      // that may still be taken for a term
  std::uint32_t parts_ = 0;      // of a condition that may still be looked at
};

}  // namespace

Inside find_inside(const Kernel& kernel) { return Walk(kernel).run(); }

std::vector<Id> find_equal(const Kernel& kernel) {
  using Key = std::tuple<Op, Scalar, std::uint8_t, std::uint8_t, std::array<Id, 4>, std::uint64_t>;
  std::map<Key, Id> first;
  std::vector<Id> equal(kernel.nodes.size());
  const auto name = [&](Id id) {
    Node node = kernel.nodes[id];
    equal[id] = id;
    if (!is_pure(node.op)) return;
    for (std::uint8_t i = 0; i < node.count; ++i) node.arguments[i] = equal[node.arguments[i]];
    const Key key{node.op, node.type.scalar, node.type.width, node.count, node.arguments, node.immediate};
    equal[id] = first.try_emplace(key, id).first->second;
  };
  const auto walk = [&](const auto& self, std::uint32_t block) -> void {
    for (const Id id : kernel.blocks[block].nodes) {
      name(id);
      for_blocks(kernel.nodes[id], [&](std::uint32_t inner) { self(self, inner); });
    }
  };
  walk(walk, 0);
  return equal;
}

}  // namespace collet::ir
