// Small integers are computed in 32 bits, halves in f32; the narrow types stay where values are kept and
// moved.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

bool is_small_integer(Scalar scalar) { return ir::is_integer(scalar) && ir::bits(scalar) < 32; }
Scalar wide(Scalar scalar) { return ir::is_signed(scalar) ? Scalar::i32 : Scalar::u32; }

// Gives numbers that depend on more than the bits of its arguments being moved.
bool computes(Op op) {
  if (ir::is_arithmetic(op)) return true;
  switch (ir::rule(op)) {
    case Rule::subgroup:
    case Rule::subgroup_bits:
    case Rule::subgroup_any_type:
    case Rule::subgroup_shuffle: return true;
    default: return false;
  }
}

// Threads: one at a time.
class Small : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    if (node.count == 0) return append(node);
    const Scalar from = type(node.arguments[0]).scalar;
    const Scalar to = node.type.scalar;
    if (node.op == Op::convert && (is_small_integer(from) || is_small_integer(to))) {
      const Id widened = is_small_integer(from) ? convert(node.arguments[0], wide(from)) : node.arguments[0];
      return is_small_integer(to) ? convert(convert(widened, wide(to)), to) : convert(widened, to);
    }
    const bool moves =
        ir::rule(node.op) == Rule::subgroup_any_type || ir::rule(node.op) == Rule::subgroup_shuffle;
    if (moves && from == Scalar::boolean) {
      Node word = node;
      word.arguments[0] = select(node.arguments[0], constant(ir::kU32, 1), constant(ir::kU32, 0));
      word.type = ir::kU32;
      return compare_with(Op::ne, append(word), 0);
    }
    if (!computes(node.op) || !is_small_integer(from)) return append(node);
    Node widened = node;
    for (std::uint8_t i = 0; i < node.count; ++i) {
      if (type(node.arguments[i]).scalar == from)
        widened.arguments[i] = convert(node.arguments[i], wide(from));
    }
    if (to != from) return append(widened);
    widened.type.scalar = wide(from);
    return convert(append(widened), to);
  }
};

// Threads: one at a time.
class Halves : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    if (node.count == 0) return append(node);
    const bool from = type(node.arguments[0]).scalar == Scalar::f16;
    const bool to = node.type.scalar == Scalar::f16;
    if (node.op == Op::convert && (from || to)) {
      const Id widened = from ? widen(node.arguments[0]) : node.arguments[0];
      return to ? narrow(convert(widened, Scalar::f32)) : convert(widened, node.type.scalar);
    }
    if (!computes(node.op) || !from) return append(node);
    Node widened = node;
    for (std::uint8_t i = 0; i < node.count; ++i) {
      if (type(node.arguments[i]).scalar == Scalar::f16) widened.arguments[i] = widen(node.arguments[i]);
    }
    if (!to) return append(widened);
    widened.type.scalar = Scalar::f32;
    return narrow(append(widened));
  }

  // Exact, and without a denormal f32 on the way, which a device may flush.
  Id widen(Id half) {
    constexpr std::uint64_t kExponent = 0x7c00u << 13;
    const Id bits = convert(bitcast(half, Scalar::u16), Scalar::u32);
    const Id sign = with(Op::shl, with(Op::bit_and, bits, 0x8000), 16);
    const Id magnitude = with(Op::shl, with(Op::bit_and, bits, 0x7fff), 13);
    const Id exponent = with(Op::bit_and, magnitude, kExponent);
    const Id normal = with(Op::add, magnitude, 112u << 23);
    const Id special = with(Op::add, normal, 112u << 23);  // infinity, NaN
    const Id lifted = bitcast(with(Op::add, normal, 1u << 23), Scalar::f32);
    const Id denormal = bitcast(with(Op::sub, lifted, 113u << 23), Scalar::u32);
    const Id found = select(compare_with(Op::eq, exponent, kExponent), special,
                            select(compare_with(Op::eq, exponent, 0), denormal, normal));
    return bitcast(binary(Op::bit_or, found, sign), Scalar::f32);
  }

  // To the nearest, ties to even.
  Id narrow(Id value) {
    constexpr std::uint64_t kDenormal = 126u << 23;  // its last bit has the weight of a denormal half's
    const Id bits = bitcast(value, Scalar::u32);
    const Id sign = with(Op::bit_and, with(Op::shr, bits, 16), 0x8000);
    const Id magnitude = with(Op::bit_and, bits, 0x7fffffff);
    const Id odd = with(Op::bit_and, with(Op::shr, magnitude, 13), 1);
    const Id rounded = binary(Op::add, with(Op::add, magnitude, 0xc8000fffu), odd);  // - (112 << 23) + 0xfff
    const Id normal = with(Op::shr, rounded, 13);
    const Id shifted = with(Op::add, bitcast(magnitude, Scalar::f32), kDenormal);
    const Id denormal = with(Op::sub, bitcast(shifted, Scalar::u32), kDenormal);
    const Id special = select(compare_with(Op::gt, magnitude, 0x7f800000), constant(ir::kU32, 0x7e00),
                              constant(ir::kU32, 0x7c00));
    const Id finite = select(compare_with(Op::lt, magnitude, 113u << 23), denormal, normal);
    const Id found = select(compare_with(Op::ge, magnitude, 143u << 23), special, finite);
    return bitcast(convert(binary(Op::bit_or, found, sign), Scalar::u16), Scalar::f16);
  }
};

// Threads: one at a time.
class Signed : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    const Scalar scalar = node.type.scalar;
    const bool wraps = node.op == Op::negate || node.op == Op::add || node.op == Op::sub ||
                       node.op == Op::mul || node.op == Op::shl;
    if (!wraps || !ir::is_signed(scalar)) return append(node);
    Node unsigned_node = node;
    unsigned_node.type.scalar = ir::unsigned_of(scalar);
    for (std::uint8_t i = 0; i < node.count; ++i)
      unsigned_node.arguments[i] = bitcast(node.arguments[i], unsigned_node.type.scalar);
    return bitcast(append(unsigned_node), scalar);
  }
};

}  // namespace

Kernel lower_small(const Kernel& kernel) { return Small(kernel).run(); }
Kernel lower_halves(const Kernel& kernel) { return Halves(kernel).run(); }
Kernel lower_signed(const Kernel& kernel) { return Signed(kernel).run(); }

}  // namespace collet::emit
