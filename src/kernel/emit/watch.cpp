// The driver counts the rounds of all loops together, and once it has counted enough leaves every loop after
// its first round. So a loop of three rounds behind the others tells whether one of them was cut, and the
// others pay nothing. How many rounds it is to take comes from memory: a driver that knew would leave the
// loop out.

#include "kernel/emit/watch.hpp"

#include <algorithm>

#include "kernel/emit/hidden_buffer.hpp"

namespace collet::emit {
namespace {

constexpr std::uint64_t kEndless = std::uint64_t{1} << 32;
// A store of less than a word may become a loop that ends when nobody else wrote to the word.
constexpr std::uint64_t kContended = 64;
// Two would do, but drivers move the addition to the end of the round before.
constexpr std::uint64_t kRounds = 3;

// Most rounds that an item does in a block.
std::uint64_t rounds_of(const Kernel& kernel, std::uint32_t block) {
  const auto of = [&](std::uint32_t inner) { return inner == kNone ? 0 : rounds_of(kernel, inner); };
  std::uint64_t sum = 0;
  for (const Id id : kernel.blocks[block].nodes) {
    const Node& node = kernel.nodes[id];
    if (node.op == Op::if_) sum += of(node.low()) + of(node.high());
    if (node.op == Op::loop) return kEndless;
    const bool shared_store = node.op == Op::store && kernel.memories[node.low()].space != Space::item;
    if (shared_store && ir::bits(kernel.nodes[node.arguments[1]].type.scalar) < 32) sum += kContended;
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
class Watch : public HiddenBuffer {
 public:
  explicit Watch(const Kernel& from) : HiddenBuffer(from, "watch") {}

 private:
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    // Behind an inner loop that was cut, an item may leave the kernel.
    if (node.op == Op::return_ && nested_) check();
    if (node.op != Op::loop) return Rewriter::visit(id);
    const bool outermost = depth_ == 0;
    if (outermost) nested_ = has_loop(node.low()) || has_loop(node.high());
    ++depth_;
    Rewriter::visit(id);
    --depth_;
    if (!outermost) return;
    nested_ = false;
    check();
  }

  bool has_loop(std::uint32_t block) const {
    return block != kNone && std::ranges::any_of(from_.blocks[block].nodes, [&](Id id) {
             const Node& node = from_.nodes[id];
             return node.op == Op::loop ||
                    (node.op == Op::if_ && (has_loop(node.low()) || has_loop(node.high())));
           });
  }

  void check() {
    const Id first = constant(ir::kU32, 0);
    const Id rounds = with(Op::add, at(Op::load, ir::kU32, {first}), kRounds);
    const Id round = variable(first);
    loop(
        [&] {
          set(round, with(Op::add, get(round), 1));
          if_then(compare(Op::ge, get(round), rounds), [&] { make(Op::break_, ir::kNothing, {}); });
        },
        [] {});
    if_then(compare(Op::ne, get(round), rounds),
            [&] { at(Op::store, ir::kNothing, {first, constant(ir::kU32, 1)}); });
  }

  std::uint32_t depth_ = 0;
  bool nested_ = false;  // inside a loop that holds loops
};

}  // namespace

bool may_exceed(const Kernel& kernel, std::uint64_t rounds) { return rounds_of(kernel, 0) > rounds; }

Kernel watch_loops(const Kernel& kernel) { return Watch(kernel).run(); }

}  // namespace collet::emit
