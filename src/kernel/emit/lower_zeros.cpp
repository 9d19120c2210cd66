// Zeros that a compiler does not see, for one that takes x + 0 for x and x * 0 for 0, whatever x is: that is
// wrong for -0, for infinities and for what is no number. It finds zeros also among the integers that a float
// is made of, and beyond the end of an item's array.

#include <vector>

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Zeros : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    foreign_.resize(to_.nodes.size());
    const bool foreign = is_foreign(node);
    const Id made = hide(node);
    foreign_.resize(to_.nodes.size());
    foreign_[made] = foreign;
    return made;
  }

  Id hide(const Node& node) {
    if (!ir::is_float(node.type.scalar)) return append(node);
    const std::uint64_t sign = std::uint64_t{1} << (ir::bits(node.type.scalar) - 1);
    if (node.op == Op::constant && (node.immediate & ~sign) == 0)
      return hidden(node.type, node.immediate != 0);
    if (node.op == Op::variable) {
      const Id made = append(node);
      set(made, hidden(node.type, false));
      return made;
    }
    if (node.op == Op::bitcast && !ir::is_float(type(node.arguments[0]).scalar)) {
      const Id word = node.arguments[0];
      if (is_constant(word))
        return (bits_of(word) & ~sign) == 0 ? hidden(node.type, bits_of(word) != 0) : append(node);
      return foreign_[word] ? append(node) : unknown(word, node.type);
    }
    if (node.op == Op::load && !is_foreign(node)) {
      return unknown(make(Op::bitcast, {ir::unsigned_of(node.type.scalar)}, {append(node)}), node.type);
    }
    // The same minus the same is another zero to it.
    if (node.op == Op::sub && node.arguments[0] == node.arguments[1]) {
      const Id zero = hidden(node.type, false);
      return binary(Op::add, binary(Op::mul, node.arguments[0], zero), zero);
    }
    return append(node);
  }

  // Whether the compiler can't find out what the value is, since others write it.
  bool is_foreign(const Node& node) const {
    switch (node.op) {
      case Op::parameter: return true;
      case Op::load: return to_.memories[node.low()].space != Space::item;
      case Op::select: return foreign_[node.arguments[1]] || foreign_[node.arguments[2]];
      default: return ir::is_atomic(node.op);
    }
  }

  Id hidden(Type type, bool negative) {
    const std::uint64_t one = type.scalar == Scalar::f64 ? 0x3ff0000000000000u : 0x3f800000u;
    const Id positive = select(never(), constant(type, one), constant(type, 0));
    return negative ? unary(Op::negate, positive) : positive;  // a choice of -0 becomes one of 0
  }

  std::vector<bool> foreign_;  // of the new kernel's values
};

}  // namespace

Kernel lower_zeros(const Kernel& kernel) { return Zeros(kernel).run(); }

}  // namespace collet::emit
