// Checked mode: an index out of range says so, beside what lower_indices() makes of it.

#include <map>

#include "kernel/emit/messages.hpp"
#include "kernel/emit/rewriter.hpp"
#include "kernel/ir/inside.hpp"
#include "kernel/ir/message.hpp"

namespace collet::emit {
namespace {

using ir::Message;

// Threads: one at a time.
class Checks : public Rewriter {
 public:
  explicit Checks(const Kernel& from) : Rewriter(from), inside_(ir::find_inside(from)) {}

 private:
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (ir::is_access(node.op) && !inside_.always[id]) check(node);
    Rewriter::visit(id);
  }

  void check(const Node& node) {
    const Memory& memory = from_.memories[node.low()];
    const Id index = now_[node.arguments[0]];
    const Id limit = memory.space == Space::buffer ? make(Op::length, ir::kU32, {}, node.low())
                                                   : constant(ir::kU32, memory.count);
    if_then(compare(Op::ge, index, limit), [&] {
      make(Op::pass, ir::kNothing, {index});
      make(Op::pass, ir::kNothing, {limit});
      make(Op::print, ir::kNothing, {}, number_of(node));
    });
  }

  // Accesses to one memory on one line share a message; those beyond the most that there may be share one
  // without a line.
  std::uint32_t number_of(const Node& node) {
    const bool full = to_.messages.size() + from_.memories.size() >= ir::kMostMessages;
    const auto [known, added] = numbers_.try_emplace(Key{full ? kNone : node.place, node.low()},
                                                     static_cast<std::uint32_t>(to_.messages.size()));
    if (!added) return known->second;
    const ir::Place place =
        full || node.place >= from_.places.size() ? ir::Place{} : from_.places[node.place];
    to_.messages.push_back({.kind = Message::Kind::index,
                            .text = "index {} where there are {} elements",
                            .file = place.file,
                            .line = place.line,
                            .values = {Scalar::u32, Scalar::u32},
                            .memory = node.low()});
    return known->second;
  }

  using Key = std::pair<std::uint32_t, std::uint32_t>;  // a place and a memory

  const ir::Inside inside_;
  std::map<Key, std::uint32_t> numbers_;
};

}  // namespace

Kernel lower_checks(const Kernel& kernel) { return Checks(kernel).run(); }

}  // namespace collet::emit
