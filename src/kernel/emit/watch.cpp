// Every loop keeps a note in memory that only its own end takes away. In a variable the driver would see
// that nothing but the loop's end comes by, and drop the question.

#include "kernel/emit/watch.hpp"

#include <algorithm>

#include "kernel/emit/rewriter.hpp"

namespace collet::emit {
namespace {

constexpr std::uint64_t kEndless = std::uint64_t{1} << 32;

// Most rounds that an item does in a block.
std::uint64_t rounds_of(const Kernel& kernel, std::uint32_t block) {
  const auto of = [&](std::uint32_t inner) { return inner == kNone ? 0 : rounds_of(kernel, inner); };
  std::uint64_t sum = 0;
  for (const Id id : kernel.blocks[block].nodes) {
    const Node& node = kernel.nodes[id];
    if (node.op == Op::if_) sum += of(node.low()) + of(node.high());
    if (node.op == Op::loop) return kEndless;
    // An exact remainder of floats may become a loop over the difference of two exponents.
    if (node.op == Op::rem && ir::is_float(node.type.scalar))
      sum += node.type.scalar == Scalar::f64 ? 2100u : 280u;
    if (node.op == Op::range) {
      const Node& begin = kernel.nodes[node.arguments[0]];
      const Node& end = kernel.nodes[node.arguments[1]];
      if (begin.op != Op::constant || end.op != Op::constant) return kEndless;
      const std::uint64_t trips = end.immediate - begin.immediate;  // or fewer, by the step
      if (trips >= kEndless) return kEndless;
      sum += (trips + 1) * (1 + of(node.low()));
    }
    if (sum >= kEndless) return kEndless;
  }
  return sum;
}

// Threads: one at a time.
class Watch : public Rewriter {
 public:
  explicit Watch(const Kernel& from) : Rewriter(from), buffer_(from.buffer_count()) {
    to_.memories.insert(to_.memories.begin() + buffer_, {.space = Space::buffer,
                                                         .name = "watch",
                                                         .element = ir::kU32,
                                                         .stride = 4,
                                                         .access = backend::Access::read_write});
    to_.buffer_argument.push_back(true);
    notes_ = static_cast<std::uint32_t>(to_.memories.size());
    const auto loops = std::ranges::count(from.nodes, Op::loop, &Node::op);
    to_.memories.push_back({.space = Space::item,
                            .name = "notes",
                            .element = ir::kU32,
                            .stride = 4,
                            .count = 2 * static_cast<std::uint64_t>(loops)});
  }

 private:
  void visit(Id id) override {
    if (from_.nodes[id].op != Op::loop) return Rewriter::visit(id);
    const std::uint32_t loop = loops_++;
    note(loop, 1);
    inside_.push_back(loop);
    Rewriter::visit(id);
    inside_.pop_back();
    const Id kept = make(Op::load, ir::kU32, {place(loop)}, notes_);
    if_then(compare_with(Op::ne, kept, 0),
            [&] { make(Op::store, ir::kNothing, {constant(ir::kU32, 0), constant(ir::kU32, 1)}, buffer_); });
  }

  Id rewrite(const Node& node) override {
    if (node.op == Op::break_) note(inside_.back(), 0);
    const bool access = node.op == Op::load || node.op == Op::store || ir::is_atomic(node.op);
    if (!access || node.low() < buffer_) return append(node);
    Node moved = node;
    moved.immediate = ir::pack(node.low() + 1, node.high());
    return append(moved);
  }

  // An index that the driver can't know, so that the notes stay in memory.
  Id place(std::uint32_t loop) {
    return with(Op::add, with(Op::bit_and, make(Op::local_id, ir::kU32, {}, 0), 1), 2 * loop);
  }
  void note(std::uint32_t loop, std::uint64_t value) {
    make(Op::store, ir::kNothing, {place(loop), constant(ir::kU32, value)}, notes_);
  }

  std::uint32_t buffer_;
  std::uint32_t notes_ = 0;
  std::uint32_t loops_ = 0;
  std::vector<std::uint32_t> inside_;
};

}  // namespace

bool may_exceed(const Kernel& kernel, std::uint64_t rounds) { return rounds_of(kernel, 0) > rounds; }

Kernel watch_loops(const Kernel& kernel) { return Watch(kernel).run(); }

}  // namespace collet::emit
