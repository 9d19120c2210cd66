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
    const bool takes = node.op == Op::add || node.op == Op::sub || node.op == Op::mul || node.op == Op::div;
    if (!takes || !ir::is_float(node.type.scalar)) return append(node);
    // The same minus the same is another zero to it.
    if (node.op == Op::sub && node.arguments[0] == node.arguments[1]) {
      const Id zero = hidden(constant(node.type, 0));
      return binary(Op::add, binary(Op::mul, node.arguments[0], zero), zero);
    }
    Node copy = node;
    for (std::uint8_t i = 0; i < node.count; ++i) {
      if (is_zero(node.arguments[i])) copy.arguments[i] = hidden(node.arguments[i]);
    }
    return append(copy);
  }

  bool is_zero(Id id) const {
    const std::uint64_t sign = std::uint64_t{1} << (ir::bits(type(id).scalar) - 1);
    return is_constant(id) && (bits_of(id) & ~sign) == 0;
  }

  // No group has a number that large, but that is not for the compiler to know.
  Id hidden(Id zero) {
    const Id group = make(Op::group_id, ir::kU32, {}, 0);
    const Id never = compare(Op::ge, group, make(Op::group_count, ir::kU32, {}, 0));
    const std::uint64_t one = type(zero).scalar == Scalar::f64 ? 0x3ff0000000000000u : 0x3f800000u;
    const Id positive = select(never, constant(type(zero), one), constant(type(zero), 0));
    return bits_of(zero) == 0 ? positive : unary(Op::negate, positive);  // a choice of -0 becomes one of 0
  }
};

}  // namespace

Kernel lower_zeros(const Kernel& kernel) { return Zeros(kernel).run(); }

}  // namespace collet::emit
