// Which nodes hold barriers, loops and branches in their blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel/emit/rewriter.hpp"
#include "kernel/ir/blocks.hpp"

namespace collet::emit {

// What stands in the blocks of each node, itself included.
//
// Threads: immutable.
class Contents {
 public:
  explicit Contents(const Kernel& kernel) : kernel_(kernel), all_(kernel.nodes.size()) { look(0); }

  bool barrier(Id id) const { return all_[id].barrier; }
  bool loop(Id id) const { return all_[id].loop; }
  // One that does more than end its loop.
  bool branch(Id id) const { return all_[id].branch; }
  bool any_barrier() const {
    return std::ranges::any_of(all_, [](const Held& held) { return held.barrier; });
  }

 private:
  struct Held {
    bool barrier = false, loop = false, branch = false;
  };

  Held look(std::uint32_t block) {
    Held all;
    for (const Id id : kernel_.blocks[block].nodes) {
      const Node& node = kernel_.nodes[id];
      Held held{.barrier = node.op == Op::barrier,
                .loop = node.op == Op::loop,
                .branch = node.op == Op::if_ && !only_breaks(node)};
      ir::for_blocks(node, [&](std::uint32_t inner) { merge(held, look(inner)); });
      all_[id] = held;
      merge(all, held);
    }
    return all;
  }
  static void merge(Held& into, const Held& from) {
    into.barrier = into.barrier || from.barrier;
    into.loop = into.loop || from.loop;
    into.branch = into.branch || from.branch;
  }
  bool only_breaks(const Node& branch) const {
    const std::vector<Id>& then = kernel_.blocks[branch.low()].nodes;
    return branch.high() == kNone && then.size() == 1 && kernel_.nodes[then.front()].op == Op::break_;
  }

  const Kernel& kernel_;
  std::vector<Held> all_;
};

}  // namespace collet::emit
