// An index beyond its memory loads 0, stores nothing and does nothing atomic, which is what the cpu backend
// does by itself. A load reads the first element instead and forgets it: compilers move loads that stand in
// no branch, and some drivers load from constant places whatever branch they stand in.

#include <algorithm>
#include <map>
#include <tuple>

#include "kernel/emit/lower.hpp"
#include "kernel/ir/inside.hpp"

namespace collet::emit {
namespace {

bool is_load(const Node& node) { return node.op == Op::load || node.op == Op::atomic_load; }
bool is_access(const Node& node) {
  return node.op == Op::load || node.op == Op::store || ir::is_atomic(node.op);
}

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
    Checked made{.kernel = run(), .trusts = {}, .terms = {}, .constants = constants_};
    if (target_.trusts_launches) trust(made);
    return made;
  }

 private:
  bool is_trusted(Id id) const {
    return target_.trusts_launches && inside_.ceiling[id] != kNone &&
           inside_.terms.size() <= ir::kMostCeilings;
  }

  // Of loads from constant places some drivers ask that they are inside where they are not executed, too. A
  // store of less than a word may begin with one.
  bool is_always_inside(Id id) const { return inside_.always[id] && !is_constant_load(id); }
  bool is_constant_load(Id id) const {
    const Node& node = from_.nodes[id];
    return target_.workarounds.has(Workaround::constant_loads) && (is_load(node) || is_small_store(node)) &&
           from_.memories[node.low()].space == Space::buffer &&
           from_.nodes[node.arguments[0]].op == Op::constant;
  }
  bool is_small_store(const Node& node) const {
    return node.op == Op::store && ir::bits(from_.nodes[node.arguments[1]].type.scalar) < 32;
  }

  bool is_checked(Id id) const {
    const Node& node = from_.nodes[id];
    if (!is_access(node) || is_always_inside(id)) return false;
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
      if (!is_access(from_.nodes[id]) || is_always_inside(id) || !is_trusted(id)) continue;
      const Trust one{.buffer = from_.nodes[id].low(), .ceiling = inside_.ceiling[id]};
      if (std::ranges::find(made.trusts, one) == made.trusts.end()) made.trusts.push_back(one);
    }
    if (!made.trusts.empty()) made.terms = inside_.terms;
  }

  // Lengths are asked for once, where everything sees them. A check holds to the end of its block.
  void copy_nodes(std::uint32_t old) override {
    if (old == 0) {
      for (Id id = 0; id < from_.nodes.size(); ++id) {
        const std::uint32_t memory = from_.nodes[id].low();
        if (!is_checked(id) || memory >= lengths_.size() || lengths_[memory] != kNone) continue;
        lengths_[memory] = make(Op::length, ir::kU32, {}, memory);
      }
    }
    const std::size_t outside = seen_.size();
    Rewriter::copy_nodes(old);
    for (; seen_.size() != outside; seen_.pop_back()) checks_.erase(seen_.back());
  }

  void visit(Id id) override {
    if (!is_checked(id)) return Rewriter::visit(id);
    const Node& old = from_.nodes[id];
    Node node = old;
    for (std::uint8_t i = 0; i < node.count; ++i) node.arguments[i] = now_[node.arguments[i]];
    const Id inside = check(equal_[old.arguments[0]], node);
    constants_ = constants_ || inside_.always[id];
    if (is_load(node) || is_constant_load(id))
      node.arguments[0] = select(inside, node.arguments[0], constant(ir::kU32, 0));
    if (is_load(node)) {
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
  bool constants_ = false;    // some check is there for the sake of a driver only
};

}  // namespace

Checked lower_indices(const Kernel& kernel, const Target& target) {
  return Indices(kernel, target).checked();
}

}  // namespace collet::emit
