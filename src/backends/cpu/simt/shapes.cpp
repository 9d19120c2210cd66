// Begins with everything uniform and takes back what does not hold. Each fact is taken back once and then
// followed to what depends on it: the time is that of the kernel's size, times its depth at most.

#include "backends/cpu/simt/shapes.hpp"

#include <algorithm>
#include <utility>

#include "kernel/ir/blocks.hpp"
#include "kernel/ir/users.hpp"

namespace collet::backend::cpu {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;

bool is_loop(Op op) { return op == Op::range || op == Op::loop; }

bool can_be_linear(ir::Type type) { return type == ir::kU32 || type == ir::kI32; }

// Threads: one at a time.
class Search {
 public:
  explicit Search(const ir::Kernel& kernel)
      : kernel_(kernel),
        depth_(kernel.nodes.size(), 0),
        frame_(kernel.nodes.size(), ir::kNone),
        target_(kernel.nodes.size(), ir::kNone),
        first_event_(kernel.nodes.size(), 0),
        end_event_(kernel.nodes.size(), 0),
        apart_(kernel.nodes.size(), false) {
    const std::size_t count = kernel.nodes.size();
    found_.value.assign(count, Shape::uniform);
    found_.lanes.assign(count, false);
    found_.divergent.assign(count, false);
    found_.together.assign(count, true);
    found_.left_by_mask.assign(count, false);
  }

  Shapes run() {
    place(0, ir::kNone);
    users_ = ir::Users(kernel_, order_);
    for (const Id id : order_) judge(id);
    for (;;) {
      if (!parted_.empty()) {
        const Id frame = parted_.back();
        parted_.pop_back();
        follow_frame(frame);
      } else if (!raised_.empty()) {
        const Id id = raised_.back();
        raised_.pop_back();
        for (const Id user : users_.of(id)) judge(user);
      } else {
        break;
      }
    }
    for (const Id id : order_) finish(id);
    return std::move(found_);
  }

 private:
  // Finds what surrounds each node. Events are what asks about the frames around it: jumps, and sets.
  void place(std::uint32_t block, Id frame) {
    for (const Id id : kernel_.blocks[block].nodes) {
      const Node& node = kernel_.nodes[id];
      order_.push_back(id);
      frame_[id] = frame;
      depth_[id] = frame == ir::kNone ? 0 : depth_[frame] + 1;
      const bool jump = ir::rule(node.op) == ir::Rule::jump;
      if (jump || node.op == Op::set) events_.push_back(id);
      if (jump && node.op != Op::return_) find_target(id);
      if (ir::block_count(node.op) == 0) continue;
      first_event_[id] = events_.size();
      ir::for_blocks(node, [&](std::uint32_t inner) { place(inner, id); });
      end_event_[id] = events_.size();
    }
  }

  void find_target(Id jump) {
    Id loop = frame_[jump];
    while (!is_loop(kernel_.nodes[loop].op)) loop = frame_[loop];
    target_[jump] = loop;
  }

  void raise(Id id, Shape shape) {
    if (found_.value[id] >= shape) return;
    found_.value[id] = shape;
    raised_.push_back(id);
  }

  void part(Id frame) {
    if (found_.divergent[frame]) return;
    found_.divergent[frame] = true;
    parted_.push_back(frame);
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
      case Op::subgroup_id:
      case Op::argument: return Shape::varying;
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

  // Looks at a node anew: its arguments' shapes have changed, or it was never looked at.
  void judge(Id id) {
    const Node& node = kernel_.nodes[id];
    if (node.op == Op::set && of(node, 1) != Shape::uniform) raise(node.arguments[0], Shape::varying);
    if (node.type != ir::kNothing) raise(id, shape(node));
    if (node.op == Op::if_ && of(node, 0) != Shape::uniform) part(id);
    if (node.op == Op::range && found_.value[id] != Shape::uniform) part(id);
  }

  // Lanes take the inside of `frame` apart: what does that mean for the jumps and sets there?
  void follow_frame(Id frame) {
    for (std::size_t i = first_event_[frame]; i < end_event_[frame]; ++i) {
      const Id id = events_[i];
      const Node& node = kernel_.nodes[id];
      if (apart_[id]) continue;
      if (node.op == Op::set) {
        if (depth_[node.arguments[0]] > depth_[frame]) continue;  // the variable is inside, too
        found_.together[id] = false;
        raise(node.arguments[0], Shape::varying);
      } else if (node.op == Op::return_) {
        for (Id around = frame_[id]; around != ir::kNone; around = frame_[around]) {
          if (is_loop(kernel_.nodes[around].op)) part(around);
        }
      } else {
        if (depth_[target_[id]] >= depth_[frame]) continue;  // the jump stays inside
        part(target_[id]);
      }
      apart_[id] = true;
    }
  }

  // What follows from facts that do not change any more.
  void finish(Id id) {
    const Node& node = kernel_.nodes[id];
    spread(node, id);
    const ir::Rule rule = ir::rule(node.op);
    if (node.op == Op::barrier || node.op == Op::uniform ||
        (rule >= ir::Rule::subgroup && rule <= ir::Rule::subgroup_shuffle) || node.op == Op::subgroup_lane ||
        node.op == Op::subgroup_id) {
      found_.whole_group = true;
    }
    if (rule == ir::Rule::jump && (node.op == Op::return_ ? apart_[id] : found_.divergent[target_[id]])) {
      for (Id around = frame_[id]; around != target_[id]; around = frame_[around])
        found_.left_by_mask[around] = true;
    }
    if (is_loop(node.op) && found_.divergent[id]) found_.divergent_loops = true;
  }

  // Linear arguments that must be spread over lanes.
  void spread(const Node& node, Id id) {
    const bool place = (node.op == Op::load || node.op == Op::store) &&
                       kernel_.memories[node.low()].space != ir::Space::item;
    for (std::uint8_t i = place ? 1 : 0; i < node.count; ++i) {
      if (of(node, i) != Shape::linear) continue;
      if (node.op != Op::range && node.type != ir::kNothing && found_.value[id] == Shape::linear) continue;
      found_.lanes[node.arguments[i]] = true;
    }
  }

  const ir::Kernel& kernel_;
  Shapes found_;
  std::vector<Id> order_;                             // nodes as they stand
  ir::Users users_;                                   // of values and variables
  std::vector<std::uint32_t> depth_;                  // frames around each node
  std::vector<Id> frame_;                             // the innermost if_, range or loop around each node
  std::vector<Id> target_;                            // of break_ and continue_: their loop; of others kNone
  std::vector<Id> events_;                            // jumps and sets as they stand
  std::vector<std::size_t> first_event_, end_event_;  // those inside each frame
  std::vector<bool> apart_;                           // of each event: lanes take it apart
  std::vector<Id> raised_, parted_;                   // whose changes are not followed yet
};

}  // namespace

Shapes find_shapes(const ir::Kernel& kernel) { return Search(kernel).run(); }

}  // namespace collet::backend::cpu
