// Values of 8 and 16 bits for languages that have none: words that hold them, with zeros or the sign above.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

bool is_narrow(Scalar scalar) {
  return scalar != Scalar::boolean && scalar != Scalar::none && ir::bits(scalar) < 32;
}
// f16 is held as its bits.
Scalar held(Scalar scalar) {
  if (!is_narrow(scalar)) return scalar;
  return ir::is_signed(scalar) && ir::is_integer(scalar) ? Scalar::i32 : Scalar::u32;
}

// Takes kernels that compute in no narrow type and keep none in memory. Threads: one at a time.
class Narrow : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    const Scalar to = node.type.scalar;
    if (node.op == Op::constant && is_narrow(to)) {
      now_[id] = narrowed(constant(ir::kU32, node.immediate), to);
      return;
    }
    const bool cast = node.op == Op::convert || node.op == Op::bitcast;
    if (!cast || (!is_narrow(to) && !is_narrow(from_.nodes[node.arguments[0]].type.scalar)))
      return Rewriter::visit(id);
    const Id value = now_[node.arguments[0]];
    now_[id] = is_narrow(to) ? narrowed(bitcast(value, Scalar::u32), to) : bitcast(value, to);
  }

  Id rewrite(const Node& node) override {
    Node wide = node;
    wide.type.scalar = held(node.type.scalar);
    return append(wide);
  }

  // The low bits of a word, as what holds them.
  Id narrowed(Id word, Scalar to) {
    const std::uint32_t size = ir::bits(to);
    if (held(to) == Scalar::u32) {
      const std::uint64_t mask = (1u << size) - 1;
      return is_constant(word) ? constant(ir::kU32, bits_of(word) & mask) : with(Op::bit_and, word, mask);
    }
    if (is_constant(word)) {
      const auto sign = std::uint32_t{1} << (size - 1);
      const auto low = static_cast<std::uint32_t>(bits_of(word)) & (sign * 2 - 1);
      return constant({Scalar::i32}, static_cast<std::uint32_t>((low ^ sign) - sign));
    }
    return with(Op::shr, bitcast(with(Op::shl, word, 32 - size), Scalar::i32), 32 - size);
  }
};

}  // namespace

Kernel lower_narrow(const Kernel& kernel) { return Narrow(kernel).run(); }

}  // namespace collet::emit
