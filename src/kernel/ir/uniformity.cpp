// Spreads divergence from where it begins (item ids, memory that others write) through values, variables and
// control flow. Each fact is noted once and then followed to what depends on it, so the time is linear in the
// kernel.
//
// Control flow diverges in stretches of the kernel as it is written: the inside of a branch or loop that
// items enter or leave apart; what stands between a continue_ that only some reach and the end of the loop's
// body; and all that follows a return_ that only some reach, from the beginning of the outermost loop around
// it, whose next round has lost those items.

#include "kernel/ir/uniformity.hpp"

#include <map>
#include <utility>

#include "kernel/ir/blocks.hpp"
#include "kernel/ir/users.hpp"

namespace collet::ir {
namespace {

bool is_loop(Op op) { return op == Op::range || op == Op::loop; }

// Threads: one at a time.
class Spread {
 public:
  explicit Spread(const Kernel& kernel)
      : kernel_(kernel),
        variable_(kernel.nodes.size(), true),
        at_(kernel.nodes.size(), 0),
        end_(kernel.nodes.size(), 0),
        body_end_(kernel.nodes.size(), 0),
        loop_(kernel.nodes.size(), kNone) {
    found_.value.assign(kernel.nodes.size(), true);
    found_.flow.assign(kernel.nodes.size(), true);
  }

  Uniformity run() {
    place(0, kNone, kNone);
    next_.resize(order_.size() + 1);
    for (std::size_t i = 0; i < next_.size(); ++i) next_[i] = static_cast<std::uint32_t>(i);
    users_ = Users(kernel_, order_);
    for (const Id id : order_) {
      if (begins_apart(kernel_.nodes[id])) note_value(id);
    }
    while (!values_.empty()) {
      const Id id = values_.back();
      values_.pop_back();
      for (const Id user : users_.of(id)) follow(user, id);
    }
    return std::move(found_);
  }

 private:
  // Gives each node of a block its position, and its place in loops.
  void place(std::uint32_t block, Id loop, Id outermost) {
    for (const Id id : kernel_.blocks[block].nodes) {
      const Node& node = kernel_.nodes[id];
      at_[id] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(id);
      note_call(id, node);
      loop_[id] = node.op == Op::return_ ? outermost : loop;
      const Id inside = is_loop(node.op) ? id : loop;
      const Id around = is_loop(node.op) && outermost == kNone ? id : outermost;
      bool body = true;
      for_blocks(node, [&](std::uint32_t inner) {
        place(inner, inside, around);
        if (body) body_end_[id] = static_cast<std::uint32_t>(order_.size());
        body = false;
      });
      end_[id] = static_cast<std::uint32_t>(order_.size());
    }
  }

  // What a function gives differs between items where an argument does.
  void note_call(Id id, const Node& node) {
    if (node.op == Op::pass) passed_.push_back(id);
    if (node.op == Op::call) called_ = std::exchange(passed_, {});
    if (node.op == Op::print) passed_.clear();
    if (node.op != Op::result) return;
    for (const Id pass : called_) results_.emplace(pass, id);
  }

  // Whether a value differs between items whatever its arguments are.
  bool begins_apart(const Node& node) const {
    switch (node.op) {
      case Op::global_id:
      case Op::local_id:
      case Op::subgroup_lane:
      case Op::subgroup_id: return true;
      case Op::load: {
        const Memory& memory = kernel_.memories[node.low()];
        return memory.space != Space::table &&
               (memory.space != Space::buffer || memory.access != backend::Access::read);
      }
      default:
        // Of a subgroup's items, other subgroups know nothing.
        return is_atomic(node.op) || (is_together(node.op) && node.op != Op::uniform);
    }
  }

  void note_value(Id id) {
    if (!found_.value[id]) return;
    found_.value[id] = false;
    values_.push_back(id);
    const Node& node = kernel_.nodes[id];
    if (node.op == Op::range) part(at_[id] + 1, end_[id]);
  }

  // `user` has the argument `id`, which differs between items: as a value, or as a variable.
  void follow(Id user, Id id) {
    const Node& node = kernel_.nodes[user];
    switch (node.op) {
      case Op::uniform: break;
      case Op::set:
        if (node.arguments[1] == id) note_variable(node.arguments[0]);
        break;
      case Op::if_: part(at_[user] + 1, end_[user]); break;
      case Op::pass: {
        const auto [first, last] = results_.equal_range(user);
        for (auto result = first; result != last; ++result) note_value(result->second);
        break;
      }
      default: note_value(user); break;
    }
  }

  void note_variable(Id variable) {
    if (!variable_[variable]) return;
    variable_[variable] = false;
    values_.push_back(variable);  // its users are those that get and set it
  }

  // Items do not reach the positions [begin, end) together. What that entails elsewhere is done in turn.
  void part(std::uint32_t begin, std::uint32_t end) {
    stretches_.push_back({begin, end});
    if (parting_) return;
    parting_ = true;
    while (!stretches_.empty()) {
      const auto [from, to] = stretches_.back();
      stretches_.pop_back();
      for (std::uint32_t at = together_from(from); at < to; at = together_from(at)) {
        next_[at] = at + 1;
        note_flow(order_[at]);
      }
    }
    parting_ = false;
  }

  void note_flow(Id id) {
    found_.flow[id] = false;
    const Node& node = kernel_.nodes[id];
    switch (node.op) {
      case Op::set: note_variable(node.arguments[0]); break;
      case Op::if_:
      case Op::range:
      case Op::loop: part(at_[id] + 1, end_[id]); break;
      case Op::break_: part(at_[loop_[id]] + 1, end_[loop_[id]]); break;
      case Op::continue_: part(at_[id] + 1, body_end_[loop_[id]]); break;
      case Op::return_:
        part(at_[loop_[id] == kNone ? id : loop_[id]] + 1, static_cast<std::uint32_t>(order_.size()));
        break;
      default: break;
    }
  }

  // The first position from `at` on that items still reach together.
  std::uint32_t together_from(std::uint32_t at) {
    std::uint32_t found = at;
    while (next_[found] != found) found = next_[found];
    while (next_[at] != found && at != found) at = std::exchange(next_[at], found);
    return found;
  }

  struct Stretch {
    std::uint32_t begin, end;
  };

  const Kernel& kernel_;
  Uniformity found_;
  std::vector<bool> variable_;
  std::vector<Id> order_;                // nodes by position
  std::vector<std::uint32_t> at_;        // position of each node
  std::vector<std::uint32_t> end_;       // the position behind its blocks
  std::vector<std::uint32_t> body_end_;  // the position behind its first block
  std::vector<Id> loop_;                 // the innermost around each node; of a return_ the outermost
  Users users_;
  std::vector<std::uint32_t> next_;  // itself, or one further on: leads to the next position reached together
  std::vector<Id> values_;           // values and variables to be followed
  std::vector<Stretch> stretches_;   // still to be split
  std::vector<Id> passed_, called_;  // to the next call, and to the last one
  std::multimap<Id, Id> results_;    // by what was passed
  bool parting_ = false;
};

}  // namespace

Uniformity find_uniformity(const Kernel& kernel) { return Spread(kernel).run(); }

}  // namespace collet::ir
