// Three walks: what runs once for the group, which region the rest is in, what crosses.

#include "backends/cpu/native/regions.hpp"

#include <algorithm>

#include "kernel/ir/blocks.hpp"

namespace collet::backend::cpu::native {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;

constexpr std::uint32_t kNowhere = 0xfffffffeu;

bool is_loop(Op op) { return op == Op::range || op == Op::loop; }

bool is_variable_access(Op op) { return op == Op::variable || op == Op::get || op == Op::set; }

// Threads: one at a time.
class RegionSearch {
 public:
  RegionSearch(const ir::Kernel& kernel, const Shapes& shapes)
      : kernel_(kernel), shapes_(shapes), group_(kernel.nodes.size()), made_anew_(kernel.nodes.size()) {
    made_.home.assign(kernel.nodes.size(), kNowhere);
    made_.kept.assign(kernel.nodes.size(), false);
    made_.spread.assign(kernel.nodes.size(), false);
    made_.shared.assign(kernel.nodes.size(), false);
  }

  Regions run() {
    find_meeting(0);
    find_jumps(0);
    place(0);
    for (Id id = 0; id < kernel_.nodes.size(); ++id) cross(id);
    return std::move(made_);
  }

 private:
  // Whether lanes part in a frame from `first` on.
  bool apart(std::size_t first) const {
    return std::any_of(frames_.begin() + static_cast<std::ptrdiff_t>(first), frames_.end(),
                       [&](Id frame) { return shapes_.divergent[frame]; });
  }

  void mark(std::size_t first) {
    for (std::size_t i = first; i < frames_.size(); ++i) {
      group_[frames_[i]] = true;
      if (shapes_.divergent[frames_[i]]) made_.possible = false;
    }
  }

  // Meeting places, and where all items return, with all that is around them.
  void find_meeting(std::uint32_t block) {
    for (const Id id : kernel_.blocks[block].nodes) {
      const Node& node = kernel_.nodes[id];
      if (node.op == Op::barrier || node.op == Op::uniform || is_between_items(node.op) ||
          (node.op == Op::return_ && !apart(0))) {
        group_[id] = true;
        mark(0);
      }
      frames_.push_back(id);
      ir::for_blocks(node, [&](std::uint32_t inner) { find_meeting(inner); });
      frames_.pop_back();
    }
  }

  // Where all items leave or continue a loop that runs once for the group, with all between.
  void find_jumps(std::uint32_t block) {
    for (const Id id : kernel_.blocks[block].nodes) {
      const Node& node = kernel_.nodes[id];
      if (node.op == Op::break_ || node.op == Op::continue_) {
        std::size_t target = frames_.size() - 1;
        while (!is_loop(kernel_.nodes[frames_[target]].op)) --target;
        if (group_[frames_[target]]) {
          if (apart(target)) made_.possible = false;
          group_[id] = true;
          mark(target);
        }
      }
      frames_.push_back(id);
      ir::for_blocks(node, [&](std::uint32_t inner) { find_jumps(inner); });
      frames_.pop_back();
    }
  }

  void place(std::uint32_t block) {
    bool open = false;
    for (const Id id : kernel_.blocks[block].nodes) {
      if (group_[id]) {
        made_.home[id] = is_between_items(kernel_.nodes[id].op) ? ++count_ : Regions::kGroup;
        open = false;
        ir::for_blocks(kernel_.nodes[id], [&](std::uint32_t inner) { place(inner); });
        continue;
      }
      if (!open) ++count_;
      open = true;
      put(id, count_);
    }
  }

  void put(Id id, std::uint32_t region) {
    made_.home[id] = region;
    ir::for_blocks(kernel_.nodes[id], [&](std::uint32_t inner) {
      for (const Id one : kernel_.blocks[inner].nodes) put(one, region);
    });
  }

  void cross(Id id) {
    const Node& node = kernel_.nodes[id];
    if (made_.home[id] == kNowhere) return;
    for (std::uint8_t i = 0; i < node.count; ++i) {
      const Id from = node.arguments[i];
      if (is_between_items(node.op)) made_.spread[from] = true;
      if (made_.home[from] == made_.home[id] || made_.home[from] == Regions::kGroup) continue;
      if (is_variable_access(node.op) && i == 0) {
        made_.shared[from] = true;
      } else {
        keep(from, node.op == Op::uniform || is_between_items(node.op));
      }
    }
  }

  // What is linear is made anew, from what it is made of; but not where all of its lanes are asked for. Each
  // node is gone through once, and no chain is too long.
  void keep(Id id, bool lanes) {
    keeping_.push_back(id);
    for (bool all = lanes; !keeping_.empty(); all = false) {
      const Id now = keeping_.back();
      keeping_.pop_back();
      const Node& node = kernel_.nodes[now];
      if (made_.home[now] == Regions::kGroup || (is_known_anywhere(node) && !all)) continue;
      if (shapes_.value[now] != Shape::linear || all) {
        made_.kept[now] = true;
      } else if (!made_anew_[now]) {
        made_anew_[now] = true;
        keeping_.insert(keeping_.end(), node.arguments.begin(), node.arguments.begin() + node.count);
      }
    }
  }

  const ir::Kernel& kernel_;
  const Shapes& shapes_;
  std::vector<bool> group_;
  Regions made_;
  std::vector<Id> frames_;       // the nodes around
  std::vector<bool> made_anew_;  // of each node: its operands were visited
  std::vector<Id> keeping_;      // to be kept, or made anew
  std::uint32_t count_ = 0;
};

}  // namespace

bool is_between_items(ir::Op op) {
  const ir::Rule rule = ir::rule(op);
  return rule >= ir::Rule::subgroup && rule <= ir::Rule::subgroup_shuffle;
}

bool is_known_anywhere(const ir::Node& node) {
  const ir::Rule rule = ir::rule(node.op);
  return rule == ir::Rule::constant || rule == ir::Rule::parameter || rule == ir::Rule::length ||
         rule == ir::Rule::builtin;
}

Regions find_regions(const ir::Kernel& kernel, const Shapes& shapes) {
  return RegionSearch(kernel, shapes).run();
}

}  // namespace collet::backend::cpu::native
