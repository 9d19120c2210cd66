// Total arithmetic from partial: what a target leaves undefined is guarded, except where a constant shows
// that it can't happen.

#include <cmath>

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

std::uint64_t ones(Scalar scalar) { return ~std::uint64_t{0} >> (64 - ir::bits(scalar)); }
std::uint64_t lowest(Scalar scalar) {
  return ir::is_signed(scalar) ? std::uint64_t{1} << (ir::bits(scalar) - 1) : 0;
}
std::uint64_t highest(Scalar scalar) { return ones(scalar) ^ lowest(scalar); }

// Threads: one at a time.
class Total : public Rewriter {
 public:
  Total(const Kernel& from, const Language& language) : Rewriter(from), language_(language) {}

 private:
  Id rewrite(const Node& node) override {
    const Id a = node.arguments[0];
    const Id b = node.arguments[1];
    const Scalar scalar = node.type.scalar;
    const bool integer = ir::is_integer(scalar);
    switch (node.op) {
      case Op::div: return integer ? divide(a, b) : append(node);
      case Op::rem: return integer ? remainder(a, b) : append(node);
      case Op::min: return select(compare(Op::lt, b, a), b, a);
      case Op::max: return select(compare(Op::lt, a, b), b, a);
      case Op::abs:
        if (!integer) return append(node);
        return ir::is_signed(scalar) ? select(compare_with(Op::lt, a, 0), unary(Op::negate, a), a) : a;
      case Op::shl:
      case Op::shr: return binary(node.op, a, masked(b));
      case Op::mul_high: return multiply_high(a, b);
      case Op::count_bits: return count_bits(a);
      case Op::leading_zeros: return leading_zeros(a);
      case Op::trailing_zeros:
        return count_bits(binary(Op::bit_and, unary(Op::bit_not, a), with(Op::sub, a, 1)));
      case Op::reverse_bits: return reverse_bits(a);
      case Op::convert: return converted(a, scalar);
      default: return append(node);
    }
  }

  // The divisor, or 1 where there is no quotient: x / 1 = x and x % 1 = 0 are what the IR says then.
  Id divisor(Id a, Id b) {
    const Scalar scalar = type(b).scalar;
    if (is_constant(b)) {
      const bool overflow = ir::is_signed(scalar) && bits_of(b) == ones(scalar);
      if (bits_of(b) != 0 && !overflow) return b;
    }
    Id bad = compare_with(Op::eq, b, 0);
    if (ir::is_signed(scalar) && (!is_constant(a) || bits_of(a) == lowest(scalar))) {
      const Id overflow =
          binary(Op::bit_and, compare_with(Op::eq, a, lowest(scalar)), compare_with(Op::eq, b, ones(scalar)));
      bad = binary(Op::bit_or, bad, overflow);
    }
    return select(bad, constant(type(b), 1), b);
  }

  Id divide(Id a, Id b) { return binary(Op::div, a, divisor(a, b)); }

  Id remainder(Id a, Id b) {
    const Id safe = divisor(a, b);
    if (!ir::is_signed(type(a).scalar)) return binary(Op::rem, a, safe);
    // Vulkan leaves the remainder of negative numbers open.
    return binary(Op::sub, a, binary(Op::mul, binary(Op::div, a, safe), safe));
  }

  Id masked(Id shift) {
    const std::uint64_t mask = ir::bits(type(shift).scalar) - 1;
    if (is_constant(shift)) return constant(type(shift), bits_of(shift) & mask);
    return with(Op::bit_and, shift, mask);
  }

  // The zero-extended bits of an integer of at most 32.
  Id word(Id a) { return convert(bitcast(a, ir::unsigned_of(type(a).scalar)), Scalar::u32); }
  Id low_word(Id a) { return convert(bitcast(a, Scalar::u64), Scalar::u32); }
  Id high_word(Id a) { return convert(with(Op::shr, bitcast(a, Scalar::u64), 32), Scalar::u32); }
  // A count as the type that was counted in.
  Id counted(Id count, Scalar as) { return bitcast(convert(count, ir::unsigned_of(as)), as); }

  Id count_bits(Id a) {
    const Scalar scalar = type(a).scalar;
    if (ir::bits(scalar) < 64) return counted(unary(Op::count_bits, word(a)), scalar);
    const Id low = unary(Op::count_bits, low_word(a));
    return counted(binary(Op::add, low, unary(Op::count_bits, high_word(a))), scalar);
  }

  Id leading_zeros(Id a) {
    const Scalar scalar = type(a).scalar;
    if (ir::bits(scalar) == 32) return counted(unary(Op::leading_zeros, word(a)), scalar);
    if (ir::bits(scalar) < 32)
      return counted(with(Op::sub, unary(Op::leading_zeros, word(a)), 32 - ir::bits(scalar)), scalar);
    const Id high = high_word(a);
    const Id below = with(Op::add, unary(Op::leading_zeros, low_word(a)), 32);
    return counted(select(compare_with(Op::eq, high, 0), below, unary(Op::leading_zeros, high)), scalar);
  }

  // Swaps neighbours, pairs, nibbles, …
  Id reverse_bits(Id a) {
    const Scalar scalar = type(a).scalar;
    Id value = bitcast(a, ir::unsigned_of(scalar));
    for (std::uint32_t half = 1; half < ir::bits(scalar); half *= 2) {
      std::uint64_t mask = 0;
      for (std::uint32_t bit = 0; bit < ir::bits(scalar); ++bit) {
        if (bit / half % 2 == 0) mask |= std::uint64_t{1} << bit;
      }
      const Id up = with(Op::shl, with(Op::bit_and, value, mask), half);
      value = binary(Op::bit_or, up, with(Op::bit_and, with(Op::shr, value, half), mask));
    }
    return bitcast(value, scalar);
  }

  Id multiply_high(Id a, Id b) {
    const Scalar scalar = type(a).scalar;
    if (ir::bits(scalar) == 32 && language_.has_mul_high) return binary(Op::mul_high, a, b);
    if (ir::bits(scalar) < 32) {
      const Scalar wide = ir::is_signed(scalar) ? Scalar::i32 : Scalar::u32;
      const Id product = binary(Op::mul, convert(a, wide), convert(b, wide));
      return convert(with(Op::shr, product, ir::bits(scalar)), scalar);
    }
    const Id x = bitcast(a, ir::unsigned_of(scalar));
    const Id y = bitcast(b, ir::unsigned_of(scalar));
    Id top = upper_half_of_product(x, y);
    if (ir::is_signed(scalar)) {
      const Id zero = constant(type(x), 0);
      top = binary(Op::sub, top, select(compare_with(Op::lt, a, 0), y, zero));
      top = binary(Op::sub, top, select(compare_with(Op::lt, b, 0), x, zero));
    }
    return bitcast(top, scalar);
  }

  Id converted(Id a, Scalar to) {
    const Scalar from = type(a).scalar;
    if (from == to) return a;
    if (from == Scalar::boolean) return select(a, one(to), constant({to}, 0));
    if (to == Scalar::boolean) return compare_with(Op::ne, a, 0);
    if (ir::is_float(from) && ir::is_integer(to)) return saturated(a, to);
    return make(Op::convert, {to}, {a});
  }

  Id one(Scalar scalar) {
    if (scalar == Scalar::f16) return constant({scalar}, 0x3c00);
    return constant({scalar}, ir::is_float(scalar) ? float_bits(scalar, 1) : 1);
  }

  Id saturated(Id a, Scalar to) {
    const Scalar from = type(a).scalar;
    const double bound = std::ldexp(1.0, static_cast<int>(ir::bits(to)) - (ir::is_signed(to) ? 1 : 0));
    const std::uint64_t least = float_bits(from, ir::is_signed(to) ? -bound : 0);
    const std::uint64_t past = float_bits(from, bound);
    // NaN is in no order, so it is not inside and not beyond either.
    const Id inside = binary(Op::bit_and, compare_with(Op::ge, a, least), compare_with(Op::lt, a, past));
    const Id whole = make(Op::convert, {to}, {select(inside, a, constant(type(a), 0))});
    const Id below = compare_with(Op::lt, a, least);
    const Id above = compare_with(Op::ge, a, past);
    return select(above, constant({to}, highest(to)), select(below, constant({to}, lowest(to)), whole));
  }

  const Language& language_;
};

}  // namespace

Kernel lower_total(const Kernel& kernel, const Language& language) { return Total(kernel, language).run(); }

}  // namespace collet::emit
