// An index beyond its memory loads 0, stores nothing and does nothing atomic, which is what the cpu backend
// does by itself. A load reads the first element instead and forgets it: compilers move loads that stand in
// no branch.
//
// Some drivers load from a place that they find to be constant whatever branch the load stands in
// (Workaround::constant_loads). For these, an index that may be one gets a zero added that no compiler knows.

#include <algorithm>
#include <map>
#include <tuple>

#include "kernel/emit/lower.hpp"
#include "kernel/ir/inside.hpp"

namespace collet::emit {
namespace {

bool is_load(const Node& node) { return node.op == Op::load || node.op == Op::atomic_load; }

// Threads: one at a time.
class Indices : public Rewriter {
 public:
  Indices(const Kernel& from, const Target& target)
      : Rewriter(from),
        target_(target),
        inside_(ir::find_inside(from)),
        equal_(ir::find_equal(from)),
        lengths_(from.buffer_count(), kNone) {}

  Checked checked() {
    Checked made{.kernel = run(), .trusts = {}, .terms = {}, .hidden = zero_ != kNone};
    if (target_.trusts_launches) trust(made);
    return made;
  }

 private:
  bool is_trusted(Id id) const {
    return target_.trusts_launches && inside_.ceiling[id] != kNone &&
           inside_.terms.size() <= ir::kMostCeilings;
  }

  // Whether the place must not be a constant that is known to the compiler. A load that is checked goes to
  // the first element where it is outside.
  bool is_hidden(Id id) const {
    const Node& node = from_.nodes[id];
    return target_.workarounds.has(Workaround::constant_loads) &&
           ((is_load(node) && !is_checked(id)) || is_small_store(node)) && !is_harmless(node) &&
           may_be_constant(node.arguments[0]);
  }
  // A constant that is inside, whether or not an item comes by; a buffer has one element or more.
  bool is_harmless(const Node& node) const {
    const Node& index = from_.nodes[node.arguments[0]];
    return index.op == Op::constant &&
           index.immediate < std::max<std::uint64_t>(from_.memories[node.low()].count, 1);
  }
  // It may begin with a load of the word.
  bool is_small_store(const Node& node) const {
    return node.op == Op::store && ir::bits(from_.nodes[node.arguments[1]].type.scalar) < 32;
  }
  // False only where no compiler can find it to be: what a launch, an item's number or memory has, and its
  // sums with constants.
  bool may_be_constant(Id index) const {
    for (;;) {
      const Node& node = from_.nodes[index];
      const bool shifted = node.op == Op::add || node.op == Op::sub;
      if (shifted && from_.nodes[node.arguments[1]].op == Op::constant) {
        index = node.arguments[0];
      } else if (node.op == Op::add && from_.nodes[node.arguments[0]].op == Op::constant) {
        index = node.arguments[1];
      } else {
        return !is_unknown(node.op);
      }
    }
  }
  static bool is_unknown(Op op) {
    switch (op) {
      case Op::parameter:
      case Op::global_id:
      case Op::local_id:
      case Op::group_id:
      case Op::group_count:
      case Op::element_count: return true;
      default: return ir::reads_memory(op);
    }
  }
  // Items of a group are fewer than 2^16.
  Id hidden_zero() { return with(Op::shr, make(Op::local_id, ir::kU32, {}, 0), 16); }

  bool is_checked(Id id) const {
    const Node& node = from_.nodes[id];
    if (!ir::is_access(node.op) || inside_.always[id]) return false;
    switch (from_.memories[node.low()].space) {
      case Space::buffer: return target_.checks_buffers && !is_trusted(id);
      case Space::workgroup: return target_.checks_groups;
      case Space::table: return true;
      default: return target_.checks_items;
    }
  }

  // What the accesses that are left without a check ask of a launch.
  void trust(Checked& made) const {
    for (Id id = 0; target_.checks_buffers && id < from_.nodes.size(); ++id) {
      if (!ir::is_access(from_.nodes[id].op) || inside_.always[id] || !is_trusted(id)) continue;
      const Trust one{.buffer = from_.nodes[id].low(), .ceiling = inside_.ceiling[id]};
      if (std::ranges::find(made.trusts, one) == made.trusts.end()) made.trusts.push_back(one);
    }
    if (!made.trusts.empty()) made.terms = inside_.terms;
  }

  // Lengths and the zero are made once, where everything sees them. A check holds to the end of its block.
  void copy_nodes(std::uint32_t old) override {
    if (old == 0) {
      for (Id id = 0; id < from_.nodes.size(); ++id) {
        const std::uint32_t memory = from_.nodes[id].low();
        if (zero_ == kNone && is_hidden(id)) zero_ = hidden_zero();
        if (!is_checked(id) || memory >= lengths_.size() || lengths_[memory] != kNone) continue;
        lengths_[memory] = make(Op::length, ir::kU32, {}, memory);
      }
    }
    const std::size_t outside = seen_.size();
    Rewriter::copy_nodes(old);
    for (; seen_.size() != outside; seen_.pop_back()) checks_.erase(seen_.back());
  }

  void visit(Id id) override {
    const bool hidden = is_hidden(id);
    if (!hidden && !is_checked(id)) return Rewriter::visit(id);
    const Node& old = from_.nodes[id];
    Node node = old;
    for (std::uint8_t i = 0; i < node.count; ++i) node.arguments[i] = now_[node.arguments[i]];
    if (hidden) node.arguments[0] = binary(Op::add, node.arguments[0], zero_);
    if (!is_checked(id)) {
      now_[id] = append(node);
      return;
    }
    const Id inside = check(equal_[old.arguments[0]], node);
    if (is_load(node)) {
      node.arguments[0] = select(inside, node.arguments[0], constant(ir::kU32, 0));
      now_[id] = or_zero(inside, append(node));
    } else if (node.type == ir::kNothing) {
      if_then(inside, [&] { append(node); });
    } else {
      const Id found = make(Op::variable, node.type, {});
      if_then(inside, [&] { set(found, append(node)); });
      now_[id] = get(found);
    }
  }

  // Whether the index of `node`, which the old kernel knows as `index`, is inside.
  Id check(Id index, const Node& node) {
    const std::uint32_t memory = node.low();
    const bool buffer = memory < lengths_.size();
    const std::uint64_t count = from_.memories[memory].count;
    const Key key{index, buffer ? memory : kNone, count};
    if (const auto known = checks_.find(key); known != checks_.end()) return known->second;
    const Id limit = buffer ? lengths_[memory] : constant(ir::kU32, count);
    const Id inside = compare(Op::lt, node.arguments[0], limit);
    checks_.emplace(key, inside);
    seen_.push_back(key);
    return inside;
  }

  // Floats as integers: a compiler may take a choice between x and 0 for something else.
  Id or_zero(Id inside, Id value) {
    const Type of = type(value);
    const bool as_bits = of.scalar == Scalar::f32 || of.scalar == Scalar::f16;
    const Type bits = as_bits ? Type{ir::unsigned_of(of.scalar), of.width} : of;
    const Id held = as_bits ? make(Op::bitcast, bits, {value}) : value;
    const Id found = select(inside, held, zero(bits));
    return as_bits ? make(Op::bitcast, of, {found}) : found;
  }
  Id zero(Type of) {
    const Id one = constant({of.scalar}, 0);
    switch (of.width) {
      case 2: return make(Op::compose, of, {one, one});
      case 3: return make(Op::compose, of, {one, one, one});
      case 4: return make(Op::compose, of, {one, one, one, one});
      default: return one;
    }
  }

  // An index of the old kernel, and what it is compared with: the length of a buffer, or else a count.
  using Key = std::tuple<Id, std::uint32_t, std::uint64_t>;

  const Target& target_;
  const ir::Inside inside_;
  const std::vector<Id> equal_;
  std::vector<Id> lengths_;   // of buffers
  std::map<Key, Id> checks_;  // that are seen from here
  std::vector<Key> seen_;     // the same, oldest first
  Id zero_ = kNone;           // that no compiler knows
};

}  // namespace

Checked lower_indices(const Kernel& kernel, const Target& target) {
  return Indices(kernel, target).checked();
}

}  // namespace collet::emit
