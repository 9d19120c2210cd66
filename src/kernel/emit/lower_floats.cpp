// Exact remainders and fused multiply-adds for languages that promise neither.

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Floats : public Rewriter {
 public:
  Floats(const Kernel& from, const Language& language) : Rewriter(from), language_(language) {}

 private:
  Id rewrite(const Node& node) override {
    const bool floats = ir::is_float(node.type.scalar);
    if (node.op == Op::rem && floats && !language_.has_fmod)
      return remainder(node.arguments[0], node.arguments[1]);
    if (node.op == Op::fma && !language_.fuses)
      return fused(node.arguments[0], node.arguments[1], node.arguments[2]);
    return append(node);
  }

  // f32 through f64: the product is exact there, and the sum is rounded to odd, so that rounding it once more
  // to f32 gives what one rounding would have given.
  Id fused(Id a, Id b, Id c) {
    const Id product = binary(Op::mul, convert(a, Scalar::f64), convert(b, Scalar::f64));
    const Id addend = convert(c, Scalar::f64);
    const Id sum = binary(Op::add, product, addend);
    const Id back = binary(Op::sub, sum, product);
    const Id lost =
        binary(Op::add, binary(Op::sub, product, binary(Op::sub, sum, back)), binary(Op::sub, addend, back));
    const Id zero = constant({Scalar::f64}, 0);
    const Id more = compare(Op::gt, lost, zero);
    const Id less = compare(Op::lt, lost, zero);
    const Id bits = bitcast(sum, Scalar::u64);
    const Id even = compare_with(Op::eq, with(Op::bit_and, bits, 1), 0);
    const Id away = compare(Op::eq, more, compare(Op::gt, sum, zero));  // from zero
    const Id moved = select(away, with(Op::add, bits, 1), with(Op::sub, bits, 1));
    const Id inexact = binary(Op::bit_and, even, binary(Op::bit_or, more, less));
    return convert(bitcast(select(inexact, moved, bits), Scalar::f64), Scalar::f32);
  }

  // A mantissa with its leading one at `point`, and the exponent that goes with it; denormals become such
  // too.
  struct Parts {
    Id mantissa, exponent;
  };

  Parts split(Id magnitude) {
    const Id exponent = convert(with(Op::shr, magnitude, point_), Scalar::i32);
    const Id fraction = with(Op::bit_and, magnitude, leading_ - 1);
    const Id denormal = compare_with(Op::eq, exponent, 0);
    const Id shift = with(Op::sub, unary(Op::leading_zeros, magnitude), bits_ - 1 - point_);
    const Id lifted = binary(Op::shl, magnitude, shift);
    const Id least = binary(Op::sub, constant(ir::kI32, 1), convert(shift, Scalar::i32));
    return {select(denormal, lifted, with(Op::bit_or, fraction, leading_)),
            select(denormal, least, exponent)};
  }

  Id remainder(Id x, Id y) {
    const Scalar scalar = type(x).scalar;
    const Scalar whole = ir::unsigned_of(scalar);
    bits_ = ir::bits(scalar);
    point_ = scalar == Scalar::f64 ? 52 : 23;
    leading_ = std::uint64_t{1} << point_;
    const std::uint64_t sign_mask = std::uint64_t{1} << (bits_ - 1);
    const std::uint64_t infinity = sign_mask - leading_;

    const Id bits = bitcast(x, whole);
    const Id ax = with(Op::bit_and, bits, sign_mask - 1);
    const Id ay = with(Op::bit_and, bitcast(y, whole), sign_mask - 1);
    const Id sign = with(Op::bit_and, bits, sign_mask);
    const Id result = variable(bits);
    const Id none =
        binary(Op::bit_or, compare_with(Op::eq, ay, 0),
               binary(Op::bit_or, compare_with(Op::gt, ay, infinity), compare_with(Op::ge, ax, infinity)));
    if_else(
        none, [&] { set(result, constant({whole}, infinity | leading_ >> 1)); },
        [&] {
          if_then(compare(Op::ge, ax, ay), [&] { long_division(split(ax), split(ay), sign, result); });
        });
    return bitcast(get(result), scalar);
  }

  void long_division(Parts x, Parts y, Id sign, Id result) {
    const Id mantissa = variable(x.mantissa);
    const Id exponent = variable(x.exponent);
    const auto reduced = [&] {
      const Id left = get(mantissa);
      return select(compare(Op::ge, left, y.mantissa), binary(Op::sub, left, y.mantissa), left);
    };
    loop(
        [&] {
          if_then(compare(Op::le, get(exponent), y.exponent), [&] { make(Op::break_, ir::kNothing, {}); });
          set(mantissa, with(Op::shl, reduced(), 1));
        },
        [&] { set(exponent, with(Op::sub, get(exponent), 1)); });
    const Id left = reduced();
    // Back to where the leading one belongs, or to a denormal.
    const Id shift = with(Op::sub, unary(Op::leading_zeros, left), bits_ - 1 - point_);
    const Id lifted = binary(Op::shl, left, shift);
    const Id power = binary(Op::sub, y.exponent, convert(shift, Scalar::i32));
    const Scalar whole = type(left).scalar;
    const Id normal = binary(Op::bit_or, with(Op::bit_and, lifted, leading_ - 1),
                             with(Op::shl, convert(power, whole), point_));
    const Id down = convert(binary(Op::sub, constant(ir::kI32, 1), power), whole);
    const Id found = select(compare_with(Op::gt, power, 0), normal, binary(Op::shr, lifted, down));
    const Id zero = compare_with(Op::eq, left, 0);
    set(result, binary(Op::bit_or, sign, select(zero, left, found)));
  }

  const Language& language_;
  std::uint32_t bits_ = 32;
  std::uint32_t point_ = 23;
  std::uint64_t leading_ = 0;
};

// Threads: one at a time.
class Unsigned : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  Id rewrite(const Node& node) override {
    if (node.op != Op::convert || node.type.scalar != Scalar::f32) return append(node);
    const Id whole = node.arguments[0];
    if (type(whole).scalar != Scalar::u32) return append(node);
    // Half of it, whose last bit stands for both that were there, rounds as the whole does.
    const Id half = binary(Op::bit_or, with(Op::shr, whole, 1), with(Op::bit_and, whole, 1));
    const Id large = compare_with(Op::ge, whole, std::uint64_t{1} << 31);
    const Id rounded = convert(bitcast(select(large, half, whole), Scalar::i32), Scalar::f32);
    return select(large, binary(Op::add, rounded, rounded), rounded);
  }
};

}  // namespace

Kernel lower_unsigned(const Kernel& kernel) { return Unsigned(kernel).run(); }

Result<Kernel> lower_floats(const Kernel& kernel, const Language& language, const Target& target) {
  for (const Node& node : kernel.nodes) {
    if (node.op != Op::fma || language.fuses) continue;
    if (node.type.scalar == Scalar::f32 && target.float64 && target.int64) continue;
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "[Kernel \"" + kernel.name + "\"] needs a fused multiply-add of " +
                     ir::to_string(node.type) + ", which " + target.name + " lacks.")
        .with_hint("Write a * b + c where two roundings will do.");
  }
  return Floats(kernel, language).run();
}

}  // namespace collet::emit
