// Dead code, canonical numbering, and the hash that rests on it.

#include <string_view>
#include <utility>

#include "base/hash.hpp"
#include "kernel/ir/blocks.hpp"
#include "kernel/ir/order.hpp"
#include "kernel/ir/passes.hpp"
#include "kernel/ir/text.hpp"

namespace collet::ir {
namespace {

// Threads: one at a time.
class Compactor {
 public:
  explicit Compactor(const Kernel& from)
      : from_(from),
        live_(from.nodes.size()),
        read_(from.nodes.size()),
        last_set_(from.nodes.size(), kNone),
        earlier_set_(last_set_) {}

  Kernel run() {
    mark_block(0);

    to_ = from_;
    to_.nodes.clear();
    to_.blocks.clear();
    number_.assign(from_.nodes.size(), kNone);
    orders_ = canonical_order(from_, live_);
    copy_block(0);
    return std::move(to_);
  }

 private:
  void mark(Id first) {
    for (waiting_.push_back(first); !waiting_.empty();) {
      const Id id = waiting_.back();
      waiting_.pop_back();
      if (live_[id]) continue;
      live_[id] = true;
      const Node& node = from_.nodes[id];
      if (node.op == Op::get) read(node.arguments[0]);
      for (std::uint8_t i = 0; i < node.count; ++i) waiting_.push_back(node.arguments[i]);
    }
  }

  // A set keeps its value alive only if somebody gets the variable, which may come to light later.
  void read(Id variable) {
    if (read_[variable]) return;
    read_[variable] = true;
    for (Id set = last_set_[variable]; set != kNone; set = earlier_set_[set]) waiting_.push_back(set);
  }

  void mark_block(std::uint32_t index) {
    for (const Id id : from_.blocks[index].nodes) {
      const Node& node = from_.nodes[id];
      if (node.op == Op::set && !read_[node.arguments[0]])
        earlier_set_[id] = std::exchange(last_set_[node.arguments[0]], id);
      else if (has_effect(node.op))
        mark(id);
      for_blocks(node, [&](std::uint32_t inner) { mark_block(inner); });
    }
  }

  std::uint32_t copy_block(std::uint32_t index) {
    const auto made = static_cast<std::uint32_t>(to_.blocks.size());
    to_.blocks.emplace_back();
    for (const Id id : orders_[index]) {
      Node node = from_.nodes[id];
      for (std::uint8_t i = 0; i < node.count; ++i) node.arguments[i] = number_[node.arguments[i]];
      const auto copy = static_cast<Id>(to_.nodes.size());
      number_[id] = copy;
      to_.nodes.push_back(node);
      to_.blocks[made].nodes.push_back(copy);
      if (block_count(node.op) == 0) continue;
      const std::uint32_t first = copy_block(node.low());
      std::uint32_t second = block_count(node.op) == 2 ? kNone : node.high();
      if (block_count(node.op) == 2 && node.high() != kNone) {
        second = copy_block(node.high());
        // An empty else says nothing.
        if (to_.blocks[second].nodes.empty() && second + 1 == to_.blocks.size()) {
          to_.blocks.pop_back();
          second = kNone;
        }
      }
      to_.nodes[copy].immediate = pack(first, second);
    }
    return made;
  }

  const Kernel& from_;
  Kernel to_;
  std::vector<bool> live_;
  std::vector<bool> read_;  // variables that somebody gets
  // The sets of variables that nobody gets so far: the last of each, and of each the one before.
  std::vector<Id> last_set_, earlier_set_;
  std::vector<Id> number_;
  std::vector<std::vector<Id>> orders_;
  std::vector<Id> waiting_;  // to be marked
};

}  // namespace

void compact(Kernel& kernel) {
  for (Function& function : kernel.functions) function.body = Compactor(function.body).run();
  kernel = Compactor(kernel).run();
}

std::uint64_t hash(const Kernel& kernel) { return base::Hash().add(print(kernel)).value(); }

}  // namespace collet::ir
