// Integers of 64 bits for targets that have none: pairs of 32-bit words.

#include <algorithm>

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

bool is_wide(Scalar scalar) { return scalar == Scalar::i64 || scalar == Scalar::u64; }

constexpr double kTwoTo32 = 4294967296.0;

// Takes kernels that lower_total() and lower_frame() made. Threads: one at a time.
class Wide : public Rewriter {
 public:
  Wide(const Kernel& from, const Language& language)
      : Rewriter(from), language_(language), pairs_(from.nodes.size()) {
    for (Memory& memory : to_.memories) {
      if (is_wide(memory.element.scalar)) memory.element = ir::kU32;
    }
    for (Parameter& parameter : to_.parameters) {
      if (is_wide(parameter.type.scalar)) parameter.type = ir::kU32;
    }
  }

 private:
  struct Pair {
    Id low = kNone, high = kNone;
  };

  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (is_wide(node.type.scalar)) {
      pairs_[id] = value(node);
      return;
    }
    for (std::uint8_t i = 0; i < node.count; ++i) {
      if (!is_wide(scalar(node, i))) continue;
      now_[id] = use(node);
      return;
    }
    Rewriter::visit(id);
  }

  Scalar scalar(const Node& node, std::uint8_t argument) const {
    return from_.nodes[node.arguments[argument]].type.scalar;
  }
  Id word(std::uint64_t bits) { return constant(ir::kU32, static_cast<std::uint32_t>(bits)); }

  // What stands for a node of 64 bits.
  Pair value(const Node& node) {
    const Pair a = node.count > 0 ? pairs_[node.arguments[0]] : Pair{};
    const Pair b = node.count > 1 ? pairs_[node.arguments[1]] : Pair{};
    const bool is_signed = ir::is_signed(node.type.scalar);
    switch (node.op) {
      case Op::constant: return {word(node.immediate), word(node.immediate >> 32)};
      case Op::variable: return {make(Op::variable, ir::kU32, {}), make(Op::variable, ir::kU32, {})};
      case Op::negate: return subtract({word(0), word(0)}, a);
      case Op::add: return add(a, b);
      case Op::sub: return subtract(a, b);
      case Op::mul: return multiply(a, b);
      case Op::div: return is_signed ? divide_signed(a, b) : divide(a, b).quotient;
      case Op::rem: return divide(a, b).rest;  // of unsigned ones: lower_total() leaves no others
      case Op::shl: return shift_left(a, b.low);
      case Op::shr: return is_signed ? shift_right_signed(a, b.low) : shift_right(a, b.low);
      case Op::convert: return widened(node);
      case Op::bitcast: return a;
      default: return {half(node, false), half(node, true)};
    }
  }

  // The node with one of the two words of its value and of its arguments.
  Id half(const Node& node, bool high) {
    Node one = node;
    if (is_wide(node.type.scalar)) one.type = ir::kU32;
    for (std::uint8_t i = 0; i < node.count; ++i) {
      const Pair& pair = pairs_[node.arguments[i]];
      const Id single = now_[node.arguments[i]];
      one.arguments[i] = !is_wide(scalar(node, i)) ? single : high ? pair.high : pair.low;
    }
    const bool placed = node.op == Op::load || node.op == Op::store || node.op == Op::parameter;
    if (placed && high) one.immediate = ir::pack(node.low(), node.high() + 4);
    return append(one);
  }

  // A node that is not of 64 bits itself.
  Id use(const Node& node) {
    const Pair a = pairs_[node.arguments[0]];
    const Pair b = node.count > 1 ? pairs_[node.arguments[1]] : Pair{};
    switch (node.op) {
      case Op::eq:
      case Op::ne:
        return binary(node.op == Op::eq ? Op::bit_and : Op::bit_or, compare(node.op, a.low, b.low),
                      compare(node.op, a.high, b.high));
      case Op::lt:
      case Op::le:
      case Op::gt:
      case Op::ge: return ordered(node.op, a, b, ir::is_signed(scalar(node, 0)));
      case Op::convert: return narrowed(a, scalar(node, 0), node.type.scalar);
      default:  // stores and sets
        half(node, false);
        half(node, true);
        return kNone;
    }
  }

  Id ordered(Op op, Pair a, Pair b, bool is_signed) {
    const Op strictly = op == Op::lt || op == Op::le ? Op::lt : Op::gt;
    const Scalar top = is_signed ? Scalar::i32 : Scalar::u32;
    const Id above = compare(strictly, bitcast(a.high, top), bitcast(b.high, top));
    const Id below = binary(Op::bit_and, compare(Op::eq, a.high, b.high), compare(op, a.low, b.low));
    return binary(Op::bit_or, above, below);
  }

  Id one_if(Id condition) { return select(condition, word(1), word(0)); }
  Pair select_pair(Id condition, Pair yes, Pair no) {
    return {select(condition, yes.low, no.low), select(condition, yes.high, no.high)};
  }
  Id is_negative(Pair a) { return compare_with(Op::ne, with(Op::shr, a.high, 31), 0); }
  Pair negated(Pair a) { return subtract({word(0), word(0)}, a); }
  Pair magnitude(Pair a) { return select_pair(is_negative(a), negated(a), a); }

  Pair add(Pair a, Pair b) {
    const Id low = binary(Op::add, a.low, b.low);
    const Id carry = one_if(compare(Op::lt, low, a.low));
    return {low, binary(Op::add, binary(Op::add, a.high, b.high), carry)};
  }
  Pair subtract(Pair a, Pair b) {
    const Id borrow = one_if(compare(Op::lt, a.low, b.low));
    return {binary(Op::sub, a.low, b.low), binary(Op::sub, binary(Op::sub, a.high, b.high), borrow)};
  }
  Pair multiply(Pair a, Pair b) {
    const Id carry =
        language_.has_mul_high ? binary(Op::mul_high, a.low, b.low) : upper_half_of_product(a.low, b.low);
    const Id crossed = binary(Op::add, binary(Op::mul, a.low, b.high), binary(Op::mul, a.high, b.low));
    return {binary(Op::mul, a.low, b.low), binary(Op::add, carry, crossed)};
  }

  struct Division {
    Pair quotient, rest;
  };
  // Long division, bit by bit from the top. A dividend of one word begins at its own top.
  Division divide(Pair a, Pair b) {
    const Id small = compare_with(Op::eq, a.high, 0);
    const Pair quotient{variable(select(small, word(0), a.low)), variable(select(small, a.low, a.high))};
    const Pair rest{variable(word(0)), variable(word(0))};
    const Id rounds = variable(select(small, word(32), word(0)));
    loop(
        [&] {
          if_then(compare_with(Op::ge, get(rounds), 64), [&] { make(Op::break_, ir::kNothing, {}); });
          const Pair q{get(quotient.low), get(quotient.high)};
          const Pair r{get(rest.low), get(rest.high)};
          const Pair next{pushed(r.low, q.high), pushed(r.high, r.low)};  // at most 64 bits came in
          const Id fits = ordered(Op::ge, next, b, false);
          const Pair left = select_pair(fits, subtract(next, b), next);
          set(rest.low, left.low);
          set(rest.high, left.high);
          set(quotient.high, pushed(q.high, q.low));
          set(quotient.low, binary(Op::bit_or, with(Op::shl, q.low, 1), one_if(fits)));
        },
        [&] { set(rounds, with(Op::add, get(rounds), 1)); });
    return {{get(quotient.low), get(quotient.high)}, {get(rest.low), get(rest.high)}};
  }
  // A word moved up by one bit, with the top bit of the word below it.
  Id pushed(Id upper, Id lower) {
    return binary(Op::bit_or, with(Op::shl, upper, 1), with(Op::shr, lower, 31));
  }
  Pair divide_signed(Pair a, Pair b) {
    const Pair quotient = divide(magnitude(a), magnitude(b)).quotient;
    const Id differ = compare_with(Op::ne, with(Op::shr, binary(Op::bit_xor, a.high, b.high), 31), 0);
    return select_pair(differ, negated(quotient), quotient);
  }

  // Shifts are below 64.
  Pair shift_left(Pair a, Id shift) {
    const Id within = with(Op::bit_and, shift, 31);
    const Id rest = binary(Op::sub, word(31), within);
    const Id high = binary(Op::shl, a.high, within);
    const Id low = binary(Op::shl, a.low, within);
    const Id crossing = binary(Op::shr, with(Op::shr, a.low, 1), rest);
    return select_pair(compare_with(Op::ge, shift, 32), {word(0), low},
                       {low, binary(Op::bit_or, high, crossing)});
  }
  Pair shift_right(Pair a, Id shift) {
    const Id high = binary(Op::shr, a.high, with(Op::bit_and, shift, 31));
    return shifted_right(a, shift, high, word(0));
  }
  Pair shift_right_signed(Pair a, Id shift) {
    const Id top = bitcast(a.high, Scalar::i32);
    const Id within = bitcast(with(Op::bit_and, shift, 31), Scalar::i32);
    return shifted_right(a, shift, bitcast(binary(Op::shr, top, within), Scalar::u32),
                         bitcast(with(Op::shr, top, 31), Scalar::u32));
  }
  // `high` is the upper word shifted within a word, `above` what comes in from above.
  Pair shifted_right(Pair a, Id shift, Id high, Id above) {
    const Id within = with(Op::bit_and, shift, 31);
    const Id rest = binary(Op::sub, word(31), within);
    const Id crossing = binary(Op::shl, with(Op::shl, a.high, 1), rest);
    const Id low = binary(Op::bit_or, binary(Op::shr, a.low, within), crossing);
    return select_pair(compare_with(Op::ge, shift, 32), {high, above}, {low, high});
  }

  Pair widened(const Node& node) {
    const Scalar from = scalar(node, 0);
    if (is_wide(from)) return pairs_[node.arguments[0]];
    const Id a = now_[node.arguments[0]];
    if (ir::is_float(from)) return from_float(a, ir::is_signed(node.type.scalar));
    if (!ir::is_signed(from)) return {convert(a, Scalar::u32), word(0)};
    const Id whole = convert(a, Scalar::i32);
    return {bitcast(whole, Scalar::u32), bitcast(with(Op::shr, whole, 31), Scalar::u32)};
  }

  // The number is known to have a value of 64 bits. No step rounds.
  Pair from_float(Id a, bool is_signed) {
    const Scalar kind = type(a).scalar;
    const Id whole = unary(Op::trunc, unary(Op::abs, a));
    const Id upper = unary(Op::trunc, with(Op::mul, whole, float_bits(kind, 1 / kTwoTo32)));
    const Id lower = binary(Op::sub, whole, with(Op::mul, upper, float_bits(kind, kTwoTo32)));
    const Pair found{make(Op::convert, ir::kU32, {lower}), make(Op::convert, ir::kU32, {upper})};
    if (!is_signed) return found;
    return select_pair(compare_with(Op::lt, a, 0), negated(found), found);
  }

  Id narrowed(Pair a, Scalar from, Scalar to) {
    if (!ir::is_float(to)) return bitcast(convert(a.low, ir::unsigned_of(to)), to);
    const bool is_signed = ir::is_signed(from);
    if (to == Scalar::f64) {  // rounded by the sum
      const Id high = convert(is_signed ? bitcast(a.high, Scalar::i32) : a.high, to);
      return binary(Op::add, with(Op::mul, high, float_bits(to, kTwoTo32)), convert(a.low, to));
    }
    const Id number = to_float(is_signed ? magnitude(a) : a);
    return is_signed ? select(is_negative(a), unary(Op::negate, number), number) : number;
  }

  // The upper 32 bits, of which the last stands for all that are lost, are rounded by their conversion.
  Id to_float(Pair a) {
    const Id below = with(Op::add, unary(Op::leading_zeros, a.low), 32);
    const Id zeros = select(compare_with(Op::eq, a.high, 0), below, unary(Op::leading_zeros, a.high));
    const Pair top = shift_left(a, with(Op::bit_and, zeros, 63));
    const Id kept = binary(Op::bit_or, top.high, one_if(compare_with(Op::ne, top.low, 0)));
    const Id exponent = binary(Op::sub, word(127 + 32), zeros);
    const Id power = bitcast(with(Op::shl, exponent, 23), Scalar::f32);
    return binary(Op::mul, convert(kept, Scalar::f32), power);
  }

  const Language& language_;
  std::vector<Pair> pairs_;  // what stands for an old value of 64 bits
};

// Whether an operation on 64-bit integers has no form of 32-bit ones here.
bool is_indivisible(const Kernel& kernel, const Node& node) {
  const auto wide = [&](Id id) { return is_wide(kernel.nodes[id].type.scalar); };
  const Rule rule = ir::rule(node.op);
  if (node.op == Op::bitcast)
    return wide(node.arguments[0]) != is_wide(node.type.scalar);  // the bits of a 64-bit float
  if (!ir::is_atomic(node.op) && rule != Rule::subgroup && rule != Rule::subgroup_bits) return false;
  const bool argument = node.count > 1 && wide(node.arguments[1]);
  return is_wide(node.type.scalar) || argument;
}

}  // namespace

bool uses_wide(const Kernel& kernel) {
  return std::ranges::any_of(kernel.nodes, [](const Node& node) { return is_wide(node.type.scalar); });
}

Kernel lower_wide(const Kernel& kernel, const Language& language) {
  for (const Node& node : kernel.nodes) {
    if (is_indivisible(kernel, node)) return kernel;
  }
  return Wide(kernel, language).run();
}

}  // namespace collet::emit
