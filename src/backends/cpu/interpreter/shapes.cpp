// Begins with everything uniform and takes back what does not hold until nothing changes.

#include "backends/cpu/interpreter/shapes.hpp"

#include <algorithm>
#include <utility>

#include "kernel/ir/blocks.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;

bool is_loop(Op op) { return op == Op::range || op == Op::loop; }

bool can_be_linear(ir::Type type) { return type == ir::kU32 || type == ir::kI32; }

// Threads: one at a time.
class Search {
 public:
  explicit Search(const ir::Kernel& kernel) : kernel_(kernel), depth_(kernel.nodes.size(), 0) {
    const std::size_t count = kernel.nodes.size();
    found_.value.assign(count, Shape::uniform);
    found_.lanes.assign(count, false);
    found_.divergent.assign(count, false);
    found_.together.assign(count, true);
    found_.left_by_mask.assign(count, false);
  }

  Shapes run() {
    do {
      changed_ = false;
      block(0);
    } while (changed_);
    for (Id id = 0; id < kernel_.nodes.size(); ++id) {
      if (is_loop(kernel_.nodes[id].op) && found_.divergent[id]) found_.divergent_loops = true;
    }
    return std::move(found_);
  }

 private:
  void note(std::vector<bool>& facts, Id id, bool holds) {
    if (facts[id] == holds) return;
    facts[id] = holds;
    changed_ = true;
  }

  void raise(Id id, Shape shape) {
    if (found_.value[id] >= shape) return;
    found_.value[id] = shape;
    changed_ = true;
  }

  Shape of(const Node& node, std::size_t argument) const { return found_.value[node.arguments[argument]]; }

  // The widest shape of its arguments.
  Shape widest(const Node& node) const {
    Shape shape = Shape::uniform;
    for (std::uint8_t i = 0; i < node.count; ++i) shape = std::max(shape, of(node, i));
    return shape;
  }

  Shape arithmetic(const Node& node) const {
    const Shape shape = widest(node);
    if (shape != Shape::linear) return shape;
    if (!can_be_linear(node.type) || !can_be_linear(kernel_.nodes[node.arguments[0]].type)) {
      return Shape::varying;
    }
    switch (node.op) {
      case Op::negate:
      case Op::add:
      case Op::sub:
      case Op::convert:
      case Op::bitcast: return Shape::linear;
      case Op::mul: return std::min(of(node, 0), of(node, 1)) == Shape::uniform ? shape : Shape::varying;
      case Op::shl: return of(node, 1) == Shape::uniform ? shape : Shape::varying;
      default: return Shape::varying;
    }
  }

  Shape shape(const Node& node) const {
    switch (node.op) {
      case Op::global_id:
      case Op::local_id: return kernel_.group[node.immediate] > 1 ? Shape::linear : Shape::uniform;
      case Op::subgroup_lane:
      case Op::subgroup_id: return Shape::varying;
      case Op::uniform: return Shape::uniform;
      case Op::get: return of(node, 0);
      case Op::load:
        if (kernel_.memories[node.low()].space == ir::Space::item) return Shape::varying;
        return of(node, 0) == Shape::uniform ? Shape::uniform : Shape::varying;
      case Op::range: return widest(node) == Shape::uniform ? Shape::uniform : Shape::varying;
      case Op::variable: return Shape::uniform;
      default: break;
    }
    if (ir::is_pure(node.op)) return arithmetic(node);
    return Shape::varying;  // atomics, and subgroup operations
  }

  // Linear arguments that must be spread over lanes.
  void spread(const Node& node, Id id) {
    const bool place = (node.op == Op::load || node.op == Op::store) &&
                       kernel_.memories[node.low()].space != ir::Space::item;
    for (std::uint8_t i = place ? 1 : 0; i < node.count; ++i) {
      if (of(node, i) != Shape::linear) continue;
      if (node.op != Op::range && node.type != ir::kNothing && found_.value[id] == Shape::linear) continue;
      note(found_.lanes, node.arguments[i], true);
    }
  }

  void jump(const Node& node) {
    const bool leaves = node.op == Op::return_;
    std::size_t target = 0;
    if (!leaves) {
      target = frames_.size() - 1;
      while (!is_loop(kernel_.nodes[frames_[target]].op)) --target;
    }
    // Those between the jump and where it goes.
    const auto inner = frames_.begin() + static_cast<std::ptrdiff_t>(leaves ? 0 : target + 1);
    const bool apart = std::any_of(inner, frames_.end(), [&](Id frame) { return found_.divergent[frame]; });
    if (leaves && apart) {
      for (const Id frame : frames_) {
        if (is_loop(kernel_.nodes[frame].op)) note(found_.divergent, frame, true);
      }
    } else if (!leaves && apart) {
      note(found_.divergent, frames_[target], true);
    }
    if (leaves ? apart : found_.divergent[frames_[target]]) {
      for (auto frame = inner; frame != frames_.end(); ++frame) note(found_.left_by_mask, *frame, true);
    }
  }

  void set(const Node& node, Id id) {
    const Id variable = node.arguments[0];
    const auto inner = frames_.begin() + static_cast<std::ptrdiff_t>(depth_[variable]);
    const bool apart = std::any_of(inner, frames_.end(), [&](Id frame) { return found_.divergent[frame]; });
    note(found_.together, id, !apart);
    if (apart || of(node, 1) != Shape::uniform) raise(variable, Shape::varying);
  }

  void block(std::uint32_t index) {
    for (const Id id : kernel_.blocks[index].nodes) {
      const Node& node = kernel_.nodes[id];
      if (node.op == Op::variable) depth_[id] = frames_.size();
      if (node.op == Op::set) set(node, id);
      if (node.type != ir::kNothing) raise(id, shape(node));
      spread(node, id);
      const ir::Rule rule = ir::rule(node.op);
      if (node.op == Op::barrier || node.op == Op::uniform ||
          (rule >= ir::Rule::subgroup && rule <= ir::Rule::subgroup_shuffle) ||
          node.op == Op::subgroup_lane || node.op == Op::subgroup_id) {
        found_.whole_group = true;
      }
      if (rule == ir::Rule::jump) jump(node);
      if (ir::block_count(node.op) == 0) continue;
      const bool apart = node.op == Op::if_     ? of(node, 0) != Shape::uniform
                         : node.op == Op::range ? found_.value[id] != Shape::uniform
                                                : false;
      if (apart) note(found_.divergent, id, true);
      frames_.push_back(id);
      ir::for_blocks(node, [&](std::uint32_t inner) { block(inner); });
      frames_.pop_back();
    }
  }

  const ir::Kernel& kernel_;
  Shapes found_;
  std::vector<std::size_t> depth_;  // of each variable: the frames around it
  std::vector<Id> frames_;          // the if_, range and loop nodes around
  bool changed_ = false;
};

}  // namespace

Shapes find_shapes(const ir::Kernel& kernel) { return Search(kernel).run(); }

}  // namespace collet::backend::cpu::interpreter
