// Spreads divergence from where it begins (item ids, memory that others write) through values, variables and
// control flow until nothing changes.

#include "kernel/ir/uniformity.hpp"

namespace collet::ir {
namespace {

// Threads: one at a time.
class Spread {
 public:
  explicit Spread(const Kernel& kernel) : kernel_(kernel) {
    found_.value.assign(kernel.nodes.size(), true);
    found_.flow.assign(kernel.nodes.size(), true);
    variable_.assign(kernel.nodes.size(), true);
    left_together_.assign(kernel.nodes.size(), true);
    stayed_.assign(kernel.nodes.size(), true);
  }

  Uniformity run() {
    do {
      changed_ = false;
      returned_ = false;
      block(0, true);
    } while (changed_);
    return std::move(found_);
  }

 private:
  struct Loop {
    Id id = kNone;
    bool continued = false;  // some items may be at its continuing block already
  };

  void note(std::vector<bool>& facts, Id id, bool uniform) {
    if (uniform || !facts[id]) return;
    facts[id] = false;
    changed_ = true;
  }

  bool uniform_arguments(const Node& node) const {
    for (std::uint8_t i = 0; i < node.count; ++i) {
      if (!found_.value[node.arguments[i]]) return false;
    }
    return true;
  }

  bool uniform_value(const Node& node) const {
    switch (node.op) {
      case Op::global_id:
      case Op::local_id:
      case Op::subgroup_lane:
      case Op::subgroup_id: return false;
      case Op::uniform: return true;
      case Op::get: return variable_[node.arguments[0]];
      case Op::load: {
        const Memory& memory = kernel_.memories[node.low()];
        return memory.space == Space::buffer && memory.access == backend::Access::read &&
               uniform_arguments(node);
      }
      case Op::range: return uniform_arguments(node);
      default:
        // Of a subgroup's items, other subgroups know nothing.
        if (rule(node.op) >= Rule::subgroup && rule(node.op) <= Rule::subgroup_shuffle) return false;
        return !is_atomic(node.op) && uniform_arguments(node);
    }
  }

  bool still(bool uniform) const {
    if (returned_) return false;
    if (loops_.empty()) return uniform;
    return uniform && left_together_[loops_.back().id] && !loops_.back().continued;
  }

  void block(std::uint32_t index, bool uniform) {
    for (const Id id : kernel_.blocks[index].nodes) {
      const Node& node = kernel_.nodes[id];
      const bool here = still(uniform);
      note(found_.flow, id, here);
      note(found_.value, id, uniform_value(node));
      switch (node.op) {
        case Op::set: note(variable_, node.arguments[0], here && found_.value[node.arguments[1]]); break;
        case Op::if_: {
          const bool inside = here && found_.value[node.arguments[0]];
          block(node.low(), inside);
          if (node.high() != kNone) block(node.high(), inside);
          break;
        }
        case Op::range: loop(id, node.low(), kNone, here && found_.value[id]); break;
        case Op::loop: loop(id, node.low(), node.high(), here); break;
        case Op::break_: note(left_together_, loops_.back().id, here); break;
        case Op::continue_:
          if (!here) loops_.back().continued = true;
          break;
        case Op::return_:
          if (!here) returned_ = true;
          break;
        default: break;
      }
    }
  }

  // What some items left in one round, the others meet in the next: that is noted, and seen when everything
  // is walked through again. To walk through the body twice here would double with each loop in a loop.
  void loop(Id id, std::uint32_t body, std::uint32_t continuing, bool uniform) {
    if (!stayed_[id]) returned_ = true;
    loops_.push_back({.id = id});
    block(body, uniform);
    loops_.back().continued = false;
    if (continuing != kNone) block(continuing, uniform);
    loops_.pop_back();
    note(stayed_, id, !returned_);
  }

  const Kernel& kernel_;
  Uniformity found_;
  std::vector<bool> variable_;
  std::vector<bool> left_together_;  // of each loop: items that break it do so together
  std::vector<bool> stayed_;         // of each loop: no item has returned before or in it
  std::vector<Loop> loops_;
  bool returned_ = false;
  bool changed_ = false;
};

}  // namespace

Uniformity find_uniformity(const Kernel& kernel) { return Spread(kernel).run(); }

}  // namespace collet::ir
