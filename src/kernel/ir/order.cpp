// Scheduling by demand.

#include "kernel/ir/order.hpp"

namespace collet::ir {
namespace {

bool reads_state(Op op) { return op == Op::load || op == Op::get; }
bool movable(Op op) { return is_pure(op) || reads_state(op) || op == Op::variable; }

// Threads: one at a time.
class Scheduler {
 public:
  Scheduler(const Kernel& kernel, const std::vector<bool>& live)
      : kernel_(kernel),
        live_(live),
        orders_(kernel.blocks.size()),
        home_(kernel.nodes.size(), kNone),
        used_(kernel.nodes.size()),
        placed_(kernel.nodes.size()),
        stateless_(kernel.nodes.size()) {}

  std::vector<std::vector<Id>> run() {
    schedule(0);
    return std::move(orders_);
  }

 private:
  void schedule(std::uint32_t block) {
    // Only blocks that something enters count: folding leaves others, which list nodes that live elsewhere
    // now.
    for (const Id id : kernel_.blocks[block].nodes) home_[id] = block;
    std::vector<Id> waiting;  // movable, since the last effect
    for (const Id id : kernel_.blocks[block].nodes) {
      if (!live_[id]) continue;
      const Node& node = kernel_.nodes[id];
      if (movable(node.op)) {
        for (std::uint8_t i = 0; i < node.count; ++i) used_[node.arguments[i]] = true;
        waiting.push_back(id);
        continue;
      }
      for (std::uint32_t i = 0; i < block_count(node.op); ++i) {
        const std::uint32_t inner = i == 0 ? node.low() : node.high();
        if (inner != kNone) schedule(inner);
      }
      placed_[id] = true;  // a range's own body uses its value
      for (std::uint8_t i = 0; i < node.count; ++i) place(block, node.arguments[i]);
      demand(block, id);
      settle(block, waiting);
      orders_[block].push_back(id);
    }
    settle(block, waiting);
  }

  // What the blocks of `id` use of this block.
  void demand(std::uint32_t block, Id id) {
    const Node& node = kernel_.nodes[id];
    for (std::uint32_t i = 0; i < block_count(node.op); ++i) {
      const std::uint32_t inner = i == 0 ? node.low() : node.high();
      if (inner == kNone) continue;
      for (const Id used : orders_[inner]) {
        const Node& user = kernel_.nodes[used];
        for (std::uint8_t a = 0; a < user.count; ++a) place(block, user.arguments[a]);
        demand(block, used);
      }
    }
  }

  // Reads that nobody asked for yet come before the effect; whole expressions at once, in the order written.
  // What is left has no read to place and comes where it is used: nothing waits any longer.
  void settle(std::uint32_t block, std::vector<Id>& waiting) {
    for (const Id id : waiting) {
      if (!used_[id] && !placed_[id] && reaches_state(block, id)) place(block, id);
    }
    for (const Id id : waiting) {
      if (!placed_[id] && reads_state(kernel_.nodes[id].op)) place(block, id);
    }
    waiting.clear();
  }

  // Visits each node once: for a root that reaches no state this is remembered, and any other is placed at
  // once with all that it depends on.
  bool reaches_state(std::uint32_t block, Id root) {
    std::vector<Id> stack{root};
    while (!stack.empty()) {
      const Id id = stack.back();
      stack.pop_back();
      if (home_[id] != block || placed_[id] || stateless_[id]) continue;
      const Node& node = kernel_.nodes[id];
      if (reads_state(node.op)) return true;
      stateless_[id] = true;
      stack.insert(stack.end(), node.arguments.begin(), node.arguments.begin() + node.count);
    }
    return false;
  }

  // `root` and what it is computed from, left first. No recursion: chains may be a million long.
  void place(std::uint32_t block, Id root) {
    stack_.push_back({root, 0});
    while (!stack_.empty()) {
      auto& [id, next] = stack_.back();
      const Node& node = kernel_.nodes[id];
      if (home_[id] != block || placed_[id]) {
        stack_.pop_back();
      } else if (next < node.count) {
        const Id argument = node.arguments[next++];
        stack_.push_back({argument, 0});
      } else {
        placed_[id] = true;
        orders_[block].push_back(id);
        stack_.pop_back();
      }
    }
  }

  struct Visit {
    Id id;
    std::uint8_t next;
  };

  const Kernel& kernel_;
  const std::vector<bool>& live_;
  std::vector<std::vector<Id>> orders_;
  std::vector<std::uint32_t> home_;
  std::vector<bool> used_;  // by another movable node
  std::vector<bool> placed_;
  std::vector<bool> stateless_;  // computed from nothing that reads state and is not placed
  std::vector<Visit> stack_;
};

}  // namespace

std::vector<std::vector<Id>> canonical_order(const Kernel& kernel, const std::vector<bool>& live) {
  return Scheduler(kernel, live).run();
}

}  // namespace collet::ir
