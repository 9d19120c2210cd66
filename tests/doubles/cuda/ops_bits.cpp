// Operations on bits: logic, shifts, fields, counts, permutations.

#include <algorithm>

#include "lane_loops.hpp"
#include "ptx_decoder.hpp"

namespace collet::cuda_double {
namespace {

template <class T>
constexpr u32 bits_of() {
  return 8 * sizeof(T);
}

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct LogicalNot {
  template <class T>
  T operator()(T a) const {
    return a == 0 ? 1 : 0;
  }
};
struct ShiftLeft {
  template <class T>
  T operator()(T a, u32 by) const {
    return by >= bits_of<T>() ? T{0} : static_cast<T>(u64{a} << by);
  }
};
struct ShiftRight {
  template <class T>
  T operator()(T a, u32 by) const {
    if (by < bits_of<T>()) return static_cast<T>(a >> by);
    return a < 0 ? static_cast<T>(-1) : T{0};
  }
};
// shf: 64 bits of b above a.
template <bool kLeft, bool kClamp>
struct Funnel {
  u32 operator()(u32 a, u32 b, u32 c) const {
    const u32 by = kClamp ? std::min(c, 32U) : c & 31;
    const u64 both = u64{b} << 32 | a;
    return static_cast<u32>(kLeft ? both << by >> 32 : both >> by);
  }
};
struct Popc {
  template <class T>
  u32 operator()(T a) const {
    return static_cast<u32>(std::popcount(a));
  }
};
struct Clz {
  template <class T>
  u32 operator()(T a) const {
    return static_cast<u32>(std::countl_zero(a));
  }
};
struct Brev {
  template <class T>
  T operator()(T a) const {
    T reversed = 0;
    for (u32 bit = 0; bit < bits_of<T>(); ++bit) {
      reversed = static_cast<T>(reversed << 1 | (a >> bit & 1));
    }
    return reversed;
  }
};
// The highest bit that differs from the sign; all ones: there is none.
template <bool kShiftAmount>
struct Bfind {
  template <class T>
  u32 operator()(T a) const {
    const auto bits = static_cast<std::make_unsigned_t<T>>(a < 0 ? ~a : a);
    const u32 zeros = static_cast<u32>(std::countl_zero(bits));
    if (zeros == bits_of<T>()) return ~0U;
    return kShiftAmount ? zeros : bits_of<T>() - 1 - zeros;
  }
};

u64 ones(u32 count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }

template <class T>
void bfe_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) {
    const T value = from_register<T>(a[lane]);
    const u32 from = b[lane] & 255, length = c[lane] & 255;
    const u64 bits = static_cast<u64>(static_cast<std::make_unsigned_t<T>>(value));
    u64 field = from >= bits_of<T>() ? 0 : bits >> from & ones(length);
    if (std::is_signed_v<T> && length != 0) {
      const u32 sign = std::min(from + length - 1, bits_of<T>() - 1);
      const u32 here = std::min(length, from >= bits_of<T>() ? 0 : bits_of<T>() - from);
      if ((bits >> sign & 1) != 0) field |= ~ones(here);
    }
    d[lane] = to_register(static_cast<T>(field));
  });
}

// The low bits of a take the place of a field of b.
template <class T>
void bfi_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  const u64* f = warp.read(instruction.f);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) {
    const u32 from = c[lane] & 255, length = f[lane] & 255;
    const u64 field = from >= bits_of<T>() ? 0 : ones(length) << from;
    const u64 moved = from >= bits_of<T>() ? 0 : a[lane] << from;
    d[lane] = to_register(static_cast<T>((b[lane] & ~field) | (moved & field)));
  });
}

// The truth table is in `target`.
void lop3_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  const u32 table = instruction.target;
  for_lanes(lanes, [=](unsigned lane) {
    const auto x = static_cast<u32>(a[lane]), y = static_cast<u32>(b[lane]), z = static_cast<u32>(c[lane]);
    u32 result = 0;
    for (u32 row = 0; row < 8; ++row) {
      if ((table >> row & 1) == 0) continue;
      result |= ((row & 4) != 0 ? x : ~x) & ((row & 2) != 0 ? y : ~y) & ((row & 1) != 0 ? z : ~z);
    }
    d[lane] = result;
  });
}

enum class Permutation : u8 { index, f4e, b4e, rc8, ecl, ecr, rc16 };

u32 selectors(Permutation mode, u32 c) {
  const u32 n = c & 3;
  const auto of = [](u32 b3, u32 b2, u32 b1, u32 b0) { return b3 << 12 | b2 << 8 | b1 << 4 | b0; };
  switch (mode) {
    case Permutation::index: return c;
    case Permutation::f4e: return of(n + 3, n + 2, n + 1, n);
    case Permutation::b4e: return of((n + 5) & 7, (n + 6) & 7, (n + 7) & 7, n);
    case Permutation::rc8: return of(n, n, n, n);
    case Permutation::ecl: return of(3, std::max(n, 2U), std::max(n, 1U), n);
    case Permutation::ecr: return of(n, std::min(n, 2U), std::min(n, 1U), 0);
    case Permutation::rc16: return (n & 1) != 0 ? 0x3232 : 0x1010;
  }
  return c;
}

void prmt_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  const auto mode = static_cast<Permutation>(instruction.target);
  for_lanes(lanes, [=](unsigned lane) {
    const u64 both = b[lane] << 32 | static_cast<u32>(a[lane]);
    const u32 chosen = selectors(mode, static_cast<u32>(c[lane]));
    u32 result = 0;
    for (u32 byte = 0; byte < 4; ++byte) {
      const u32 selector = chosen >> 4 * byte & 15;
      u32 value = static_cast<u32>(both >> 8 * (selector & 7)) & 255;
      if (mode == Permutation::index && (selector & 8) != 0) value = (value & 128) != 0 ? 255 : 0;
      result |= value << 8 * byte;
    }
    d[lane] = result;
  });
}

enum class Logic : u8 { and_, or_, xor_ };
template <Logic kLogic>
void predicate_logic(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const Lanes a = warp.predicate(instruction.a);
  const Lanes b = warp.predicate(instruction.p) ^ (instruction.predicate_negated ? kAllLanes : 0);
  warp.set_predicate(instruction.d, lanes,
                     kLogic == Logic::and_  ? a & b
                     : kLogic == Logic::or_ ? a | b
                                            : a ^ b);
}
void predicate_not(Warp& warp, const Instruction& instruction, Lanes lanes) {
  warp.set_predicate(instruction.d, lanes, ~warp.predicate(instruction.p));
}

template <class Operation, Logic kLogic>
void logic(Decoder& decoder) {
  const Type type = decoder.take_type();
  Instruction& made = decoder.instruction;
  decoder.expect(3);
  if (type == Type::pred) {
    made.handler = predicate_logic<kLogic>;
    made.d = decoder.predicate_output(0);
    decoder.predicate_input(1);
    if (made.predicate_negated) decoder.refuse("has a negated operand.");
    made.a = made.p;
    decoder.predicate_input(2);
    return;
  }
  made.handler = for_integer(type, []<class T>() -> Handler { return binary<T, Operation>; });
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  made.b = decoder.input(2, type);
}

template <class Operation>
void invert(Decoder& decoder) {
  const Type type = decoder.take_type();
  Instruction& made = decoder.instruction;
  decoder.expect(2);
  if (type == Type::pred) {
    made.handler = predicate_not;
    made.d = decoder.predicate_output(0);
    decoder.predicate_input(1);
    if (made.predicate_negated) decoder.refuse("has a negated operand.");
    return;
  }
  made.handler = for_integer(type, []<class T>() -> Handler { return unary<T, Operation>; });
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
}

template <class Operation>
void plain_shift(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.expect(3);
  Instruction& made = decoder.instruction;
  made.handler = for_integer(type, []<class T>() -> Handler { return shift<T, Operation>; });
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  made.b = decoder.input(2, Type::u32);
}
// To the left it matters not what sign the type has.
void shift_left(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.expect(3);
  Instruction& made = decoder.instruction;
  switch (size_of(type)) {
    case 2: made.handler = shift<u16, ShiftLeft>; break;
    case 4: made.handler = shift<u32, ShiftLeft>; break;
    case 8: made.handler = shift<u64, ShiftLeft>; break;
    default: break;
  }
  if (is_float(type)) made.handler = nullptr;
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  made.b = decoder.input(2, Type::u32);
}

void funnel(Decoder& decoder) {
  decoder.take("b32");
  const bool is_left = decoder.take("l");
  if (!is_left && !decoder.take("r")) decoder.refuse("says not in which direction.");
  const bool is_clamped = decoder.take("clamp");
  if (!is_clamped && !decoder.take("wrap")) decoder.refuse("says not what large shifts do.");
  decoder.expect(4);
  Instruction& made = decoder.instruction;
  made.handler = is_left ? is_clamped ? ternary<u32, Funnel<true, true>> : ternary<u32, Funnel<true, false>>
                 : is_clamped ? ternary<u32, Funnel<false, true>>
                              : ternary<u32, Funnel<false, false>>;
  made.d = decoder.output(0);
  made.a = decoder.input(1, Type::b32);
  made.b = decoder.input(2, Type::b32);
  made.c = decoder.input(3, Type::b32);
}

template <class Operation>
void count(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.expect(2);
  Instruction& made = decoder.instruction;
  if (type == Type::b32) made.handler = unary<u32, Operation>;
  if (type == Type::b64) made.handler = unary<u64, Operation>;
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
}

void bfind(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.expect(2);
  Instruction& made = decoder.instruction;
  if (size_of(type) >= 4) {
    made.handler = decoder.take("shiftamt")
                       ? for_integer(type, []<class T>() -> Handler { return unary<T, Bfind<true>>; })
                       : for_integer(type, []<class T>() -> Handler { return unary<T, Bfind<false>>; });
  }
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
}

void bfe(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.expect(4);
  Instruction& made = decoder.instruction;
  if (size_of(type) >= 4) made.handler = for_integer(type, []<class T>() -> Handler { return bfe_lanes<T>; });
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  made.b = decoder.input(2, Type::u32);
  made.c = decoder.input(3, Type::u32);
}

void bfi(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.expect(5);
  Instruction& made = decoder.instruction;
  if (type == Type::b32) made.handler = bfi_lanes<u32>;
  if (type == Type::b64) made.handler = bfi_lanes<u64>;
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  made.b = decoder.input(2, type);
  made.c = decoder.input(3, Type::u32);
  made.f = decoder.input(4, Type::u32);
}

void lop3(Decoder& decoder) {
  decoder.take("b32");
  decoder.expect(5);
  Instruction& made = decoder.instruction;
  made.handler = lop3_lanes;
  made.d = decoder.output(0);
  made.a = decoder.input(1, Type::b32);
  made.b = decoder.input(2, Type::b32);
  made.c = decoder.input(3, Type::b32);
  made.target = static_cast<u32>(decoder.number(4));
}

void prmt(Decoder& decoder) {
  decoder.take("b32");
  decoder.expect(4);
  Instruction& made = decoder.instruction;
  made.handler = prmt_lanes;
  made.target = static_cast<u32>(decoder.take_one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) + 1);
  made.d = decoder.output(0);
  made.a = decoder.input(1, Type::b32);
  made.b = decoder.input(2, Type::b32);
  made.c = decoder.input(3, Type::b32);
}

}  // namespace

void add_bit_rules(Rules& rules) {
  rules["and"] = logic<And, Logic::and_>;
  rules["or"] = logic<Or, Logic::or_>;
  rules["xor"] = logic<Xor, Logic::xor_>;
  rules["not"] = invert<Not>;
  rules["cnot"] = invert<LogicalNot>;
  rules["shl"] = shift_left;
  rules["shr"] = plain_shift<ShiftRight>;
  rules["shf"] = funnel;
  rules["popc"] = count<Popc>;
  rules["clz"] = count<Clz>;
  rules["brev"] = count<Brev>;
  rules["bfind"] = bfind;
  rules["bfe"] = bfe;
  rules["bfi"] = bfi;
  rules["lop3"] = lop3;
  rules["prmt"] = prmt;
}

}  // namespace collet::cuda_double
