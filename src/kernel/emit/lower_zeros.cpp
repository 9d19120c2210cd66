// Zeros that a compiler does not see, for one that takes x + 0 for x and x * 0 for 0, whatever x is: that is
// wrong for -0, for infinities and for what is no number.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Zeros : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    if (!ir::is_float(node.type.scalar)) return append(node);
    const std::uint64_t sign = std::uint64_t{1} << (ir::bits(node.type.scalar) - 1);
    if (node.op == Op::constant && (node.immediate & ~sign) == 0)
      return hidden(node.type, node.immediate != 0);
    if (node.op == Op::variable) {
      const Id made = append(node);
      set(made, hidden(node.type, false));
      return made;
    }
    // The same minus the same is another zero to it.
    if (node.op == Op::sub && node.arguments[0] == node.arguments[1]) {
      const Id zero = hidden(node.type, false);
      return binary(Op::add, binary(Op::mul, node.arguments[0], zero), zero);
    }
    return append(node);
  }

  // No group has a number that large, but that is not for the compiler to know.
  Id hidden(Type type, bool negative) {
    const Id group = make(Op::group_id, ir::kU32, {}, 0);
    const Id never = compare(Op::ge, group, make(Op::group_count, ir::kU32, {}, 0));
    const std::uint64_t one = type.scalar == Scalar::f64 ? 0x3ff0000000000000u : 0x3f800000u;
    const Id positive = select(never, constant(type, one), constant(type, 0));
    return negative ? unary(Op::negate, positive) : positive;  // a choice of -0 becomes one of 0
  }
};

}  // namespace

Kernel lower_zeros(const Kernel& kernel) { return Zeros(kernel).run(); }

}  // namespace collet::emit
