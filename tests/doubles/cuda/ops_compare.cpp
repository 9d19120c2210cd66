// Comparisons, and selections by them.

#include <cmath>

#include "lane_loops.hpp"
#include "ptx_decoder.hpp"

namespace collet::cuda_double {
namespace {

// Those from equ on are true where an operand is a NaN.
enum class Comparison : u8 { eq, ne, lt, le, gt, ge, num, nan, equ, neu, ltu, leu, gtu, geu };
enum class Combination : u8 { none, and_, or_, xor_ };

template <Comparison kComparison, class T>
bool compare(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool unordered = std::isnan(a) || std::isnan(b);
    switch (kComparison) {
      case Comparison::num: return !unordered;
      case Comparison::nan: return unordered;
      case Comparison::ne: return !unordered && a != b;
      case Comparison::equ: return unordered || a == b;
      case Comparison::neu: return unordered || a != b;
      case Comparison::ltu: return unordered || a < b;
      case Comparison::leu: return unordered || a <= b;
      case Comparison::gtu: return unordered || a > b;
      case Comparison::geu: return unordered || a >= b;
      default: break;
    }
  }
  switch (kComparison) {
    case Comparison::eq: return a == b;
    case Comparison::ne: return a != b;
    case Comparison::lt: return a < b;
    case Comparison::le: return a <= b;
    case Comparison::gt: return a > b;
    case Comparison::ge: return a >= b;
    default: return false;
  }
}

template <Comparison kComparison, class T>
Lanes compare_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  Lanes yes = 0;
  for_lanes(lanes, [&](unsigned lane) {
    bool is_true = false;
    if constexpr (std::is_same_v<T, Half>) {
      is_true = compare<kComparison>(half_to_double(from_register<Half>(a[lane])),
                                     half_to_double(from_register<Half>(b[lane])));
    } else {
      is_true = compare<kComparison>(from_register<T>(a[lane]), from_register<T>(b[lane]));
    }
    yes |= Lanes{is_true} << lane;
  });
  return yes;
}

Lanes combine(Warp& warp, const Instruction& instruction, Lanes value) {
  const auto how = static_cast<Combination>(instruction.target);
  if (how == Combination::none) return value;
  const Lanes other = warp.predicate(instruction.p) ^ (instruction.predicate_negated ? kAllLanes : 0);
  return how == Combination::and_ ? value & other : how == Combination::or_ ? value | other : value ^ other;
}

template <Comparison kComparison, class T>
void setp_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const Lanes yes = compare_lanes<kComparison, T>(warp, instruction, lanes);
  const Lanes first = combine(warp, instruction, yes);
  const Lanes second = instruction.e == kNoOperand ? 0 : combine(warp, instruction, ~yes);
  warp.set_predicate(instruction.d, lanes, first);
  warp.set_predicate(instruction.e, lanes, second);
}

// What is written for true is the constant c.
template <Comparison kComparison, class T>
void set_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const Lanes yes = combine(warp, instruction, compare_lanes<kComparison, T>(warp, instruction, lanes));
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = (yes >> lane & 1) != 0 ? c[lane] : 0; });
}

template <class T, bool kSetsPredicate, Comparison kComparison>
Handler pick() {
  if constexpr (kSetsPredicate) return setp_lanes<kComparison, T>;
  return set_lanes<kComparison, T>;
}

template <class T, bool kSetsPredicate>
Handler pick(Comparison comparison) {
  switch (comparison) {
    case Comparison::eq: return pick<T, kSetsPredicate, Comparison::eq>();
    case Comparison::ne: return pick<T, kSetsPredicate, Comparison::ne>();
    case Comparison::lt: return pick<T, kSetsPredicate, Comparison::lt>();
    case Comparison::le: return pick<T, kSetsPredicate, Comparison::le>();
    case Comparison::gt: return pick<T, kSetsPredicate, Comparison::gt>();
    case Comparison::ge: return pick<T, kSetsPredicate, Comparison::ge>();
    default: break;
  }
  if constexpr (!std::is_integral_v<T>) {
    switch (comparison) {
      case Comparison::num: return pick<T, kSetsPredicate, Comparison::num>();
      case Comparison::nan: return pick<T, kSetsPredicate, Comparison::nan>();
      case Comparison::equ: return pick<T, kSetsPredicate, Comparison::equ>();
      case Comparison::neu: return pick<T, kSetsPredicate, Comparison::neu>();
      case Comparison::ltu: return pick<T, kSetsPredicate, Comparison::ltu>();
      case Comparison::leu: return pick<T, kSetsPredicate, Comparison::leu>();
      case Comparison::gtu: return pick<T, kSetsPredicate, Comparison::gtu>();
      case Comparison::geu: return pick<T, kSetsPredicate, Comparison::geu>();
      default: break;
    }
  }
  return nullptr;
}

template <bool kSetsPredicate>
void comparison_rule(Decoder& decoder) {
  Instruction& made = decoder.instruction;
  const Type result = kSetsPredicate ? Type::pred : decoder.take_type();
  const Type type = decoder.take_type();
  int comparison = decoder.take_one_of(
      {"eq", "ne", "lt", "le", "gt", "ge", "num", "nan", "equ", "neu", "ltu", "leu", "gtu", "geu"});
  if (comparison < 0) {
    // Names of the orders of numbers without a sign.
    comparison = decoder.take_one_of({"lo", "ls", "hi", "hs"});
    if (comparison >= 0) comparison += static_cast<int>(Comparison::lt);
  }
  if (comparison < 0) decoder.refuse("says not how it compares.");
  const auto what = static_cast<Comparison>(comparison);
  made.target = static_cast<u32>(decoder.take_one_of({"and", "or", "xor"}) + 1);
  const bool combines = made.target != 0;
  decoder.expect(combines ? 4 : 3);
  if (type == Type::f16) {
    made.handler = pick<Half, kSetsPredicate>(what);
  } else if (is_float(type)) {
    made.handler = for_float(type, [what]<class T>() { return pick<T, kSetsPredicate>(what); });
  } else {
    made.handler = for_integer(type, [what]<class T>() { return pick<T, kSetsPredicate>(what); });
  }
  if constexpr (kSetsPredicate) {
    const OperandText& results = decoder.operand(0);
    if (results.kind == OperandText::Kind::pair) {
      made.e = decoder.write_predicate(results.parts[1]);
      made.d = decoder.write_predicate(results.parts[0]);
    } else {
      made.d = decoder.predicate_output(0);
    }
  } else {
    made.d = decoder.output(0);
    const u64 one = result == Type::f32   ? to_register(1.0F)
                    : result == Type::f16 ? u64{0x3c00}
                                          : u64{0xffffffff};
    if (result != Type::f32 && result != Type::f16 && size_of(result) != 4)
      decoder.refuse("has a result of a type that is not known.");
    made.c = decoder.builder().constant(one);
  }
  const Type read = type == Type::f16 ? Type::b16 : type;
  made.a = decoder.input(1, read);
  made.b = decoder.input(2, read);
  if (combines) decoder.predicate_input(3);
}

void selp_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  u64* d = warp.write(instruction.d);
  const Lanes chosen = warp.predicate(instruction.p) ^ (instruction.predicate_negated ? kAllLanes : 0);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = (chosen >> lane & 1) != 0 ? a[lane] : b[lane]; });
}
void selp_predicate(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const Lanes chosen = warp.predicate(instruction.p) ^ (instruction.predicate_negated ? kAllLanes : 0);
  warp.set_predicate(instruction.d, lanes,
                     (warp.predicate(instruction.a) & chosen) | (warp.predicate(instruction.b) & ~chosen));
}

void selp(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.expect(4);
  Instruction& made = decoder.instruction;
  if (type == Type::pred) {
    made.handler = selp_predicate;
    made.d = decoder.predicate_output(0);
    decoder.predicate_input(1);
    made.a = made.p;
    decoder.predicate_input(2);
    made.b = made.p;
    if (made.predicate_negated) decoder.refuse("has a negated operand.");
  } else {
    if (size_of(type) < 2) decoder.refuse("is not known for this type.");
    made.handler = selp_lanes;
    made.d = decoder.output(0);
    made.a = decoder.input(1, type);
    made.b = decoder.input(2, type);
  }
  decoder.predicate_input(3);
}

// a where c is at least 0, else b.
template <class T>
void slct_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = from_register<T>(c[lane]) >= 0 ? a[lane] : b[lane]; });
}

void slct(Decoder& decoder) {
  const Type type = decoder.take_type(), condition = decoder.take_type();
  decoder.expect(4);
  Instruction& made = decoder.instruction;
  if (condition == Type::s32) made.handler = slct_lanes<s32>;
  if (condition == Type::f32) made.handler = slct_lanes<float>;
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  made.b = decoder.input(2, type);
  made.c = decoder.input(3, condition);
}

}  // namespace

void add_comparison_rules(Rules& rules) {
  rules["setp"] = comparison_rule<true>;
  rules["set"] = comparison_rule<false>;
  rules["selp"] = selp;
  rules["slct"] = slct;
}

}  // namespace collet::cuda_double
