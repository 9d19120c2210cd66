// Fences for drivers that take a fence for a barrier.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// A fence becomes an atomic operation that changes nothing, on a word of the group's own. Threads: one at a
// time.
class Fences : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    if (node.op != Op::fence) return append(node);
    if (word_ == kNone) {
      word_ = static_cast<std::uint32_t>(to_.memories.size());
      to_.memories.push_back({.space = Space::workgroup,
                              .name = "collet_fence",
                              .element = ir::kU32,
                              .stride = sizeof(std::uint32_t),
                              .count = 1});
    }
    const Id zero = constant(ir::kU32, 0);
    make(Op::atomic_or, ir::kU32, {zero, zero}, word_);
    return kNone;
  }

  std::uint32_t word_ = kNone;  // the memory that it is in
};

}  // namespace

Kernel lower_fences(const Kernel& kernel) { return Fences(kernel).run(); }

}  // namespace collet::emit
