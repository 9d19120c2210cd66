// Arithmetic of integers.

#include "float_rules.hpp"
#include "lane_loops.hpp"
#include "ptx_decoder.hpp"

namespace collet::cuda_double {
namespace {

// Arithmetic that wraps is done without a sign, and on at least 32 bits.
template <class T>
using Wide = std::conditional_t<sizeof(T) < 4, u32, std::make_unsigned_t<T>>;
template <class T>
constexpr Wide<T> widen(T value) {
  return static_cast<Wide<T>>(value);
}
__extension__ using S128 = __int128;
__extension__ using U128 = unsigned __int128;
template <class T>
using Whole = std::conditional_t<std::is_signed_v<T>, S128, U128>;

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(widen(a) + widen(b));
  }
};
struct AddSaturated {
  s32 operator()(s32 a, s32 b) const {
    const s64 sum = s64{a} + b;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : static_cast<s32>(sum);
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(widen(a) - widen(b));
  }
};
struct SubSaturated {
  s32 operator()(s32 a, s32 b) const {
    const s64 difference = s64{a} - b;
    return difference > INT32_MAX   ? INT32_MAX
           : difference < INT32_MIN ? INT32_MIN
                                    : static_cast<s32>(difference);
  }
};
struct MulLow {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(widen(a) * widen(b));
  }
};
struct MulHigh {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (sizeof(T) == 8) {
      return static_cast<T>(static_cast<Whole<T>>(a) * b >> 64);
    } else {
      using Twice = std::conditional_t<std::is_signed_v<T>, s64, u64>;
      return static_cast<T>(static_cast<Twice>(a) * static_cast<Twice>(b) >> (8 * sizeof(T)));
    }
  }
};
struct MulWide {
  template <class T>
  auto operator()(T a, T b) const {
    if constexpr (sizeof(T) == 2) {
      using Result = std::conditional_t<std::is_signed_v<T>, s32, u32>;
      return static_cast<Result>(static_cast<Result>(a) * static_cast<Result>(b));
    } else {
      using Result = std::conditional_t<std::is_signed_v<T>, s64, u64>;
      return static_cast<Result>(static_cast<Result>(a) * static_cast<Result>(b));
    }
  }
};
// The low 24 bits of both, and the low or high 32 bits of the product's 48.
template <bool kHigh>
struct Mul24 {
  template <class T>
  T operator()(T a, T b) const {
    using Twice = std::conditional_t<std::is_signed_v<T>, s64, u64>;
    const auto low = [](T x) { return static_cast<Twice>(static_cast<T>(widen(x) << 8) >> 8); };
    return static_cast<T>(low(a) * low(b) >> (kHigh ? 16 : 0));
  }
};
template <class Mul>
struct MulAdd {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add{}(Mul{}(a, b), c);
  }
};
// A division by zero gives all bits, as GPUs do.
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Sub{}(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Neg {
  template <class T>
  T operator()(T a) const {
    return Sub{}(T{0}, a);
  }
};
struct Abs {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? Neg{}(a) : a;
  }
};
struct Sad {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add{}(c, a < b ? Sub{}(b, a) : Sub{}(a, b));
  }
};

// d = c + a * b for products of 2 * bits(T).
template <class T>
void mad_wide(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  using Result = decltype(MulWide{}(T{}, T{}));
  for_lanes(lanes, [=](unsigned lane) {
    const Result product = MulWide{}(from_register<T>(a[lane]), from_register<T>(b[lane]));
    d[lane] = to_register(Add{}(product, from_register<Result>(c[lane])));
  });
}

// What instructions with a carry add: a + b, a - b, or one half of a product + c.
enum class Carried : u8 { add, sub, mad_low, mad_high };
template <class T, Carried kWhat, bool kReads, bool kWrites>
void carry(Warp& warp, const Instruction& instruction, Lanes lanes) {
  using Unsigned = std::make_unsigned_t<T>;
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = kWhat == Carried::mad_low || kWhat == Carried::mad_high ? warp.read(instruction.c) : a;
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [&](unsigned lane) {
    const T x = from_register<T>(a[lane]), y = from_register<T>(b[lane]);
    const unsigned old = kReads ? warp.carry[lane] : 0;
    U128 sum = 0;
    if constexpr (kWhat == Carried::add) {
      sum = U128{static_cast<Unsigned>(x)} + static_cast<Unsigned>(y) + old;
    } else if constexpr (kWhat == Carried::sub) {
      sum = U128{static_cast<Unsigned>(x)} - static_cast<Unsigned>(y) - old;
    } else {
      const T product = kWhat == Carried::mad_low ? MulLow{}(x, y) : MulHigh{}(x, y);
      sum = U128{static_cast<Unsigned>(product)} + from_register<Unsigned>(c[lane]) + old;
    }
    if (kWrites) warp.carry[lane] = static_cast<u8>(sum >> (8 * sizeof(T)) & 1);
    d[lane] = to_register(static_cast<T>(sum));
  });
}

template <class T, Carried kWhat>
Handler pick_carry(bool reads, bool writes) {
  if (reads) return writes ? carry<T, kWhat, true, true> : carry<T, kWhat, true, false>;
  return carry<T, kWhat, false, true>;
}
template <Carried kWhat>
Handler carry_handler(Decoder& decoder, Type type, bool reads, bool writes) {
  switch (type) {
    case Type::b32:
    case Type::u32: return pick_carry<u32, kWhat>(reads, writes);
    case Type::s32: return pick_carry<s32, kWhat>(reads, writes);
    case Type::b64:
    case Type::u64: return pick_carry<u64, kWhat>(reads, writes);
    case Type::s64: return pick_carry<s64, kWhat>(reads, writes);
    default: decoder.refuse("has a carry and not 32 or 64 bits.");
  }
}

void take_operands(Decoder& decoder, Type type, std::size_t count) {
  decoder.expect(count + 1);
  Instruction& made = decoder.instruction;
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  if (count > 1) made.b = decoder.input(2, type);
  if (count > 2) made.c = decoder.input(3, type);
}

template <class Operation>
Handler binary_handler(Type type) {
  return for_integer(type, []<class T>() -> Handler { return binary<T, Operation>; });
}
template <class Operation>
Handler ternary_handler(Type type) {
  return for_integer(type, []<class T>() -> Handler { return ternary<T, Operation>; });
}

template <bool kAdd>
void add_or_sub(Decoder& decoder) {
  const Type type = decoder.take_type();
  if (is_float(type)) return float_rule(decoder, kAdd ? Arithmetic::add : Arithmetic::sub, type);
  Handler& handler = decoder.instruction.handler;
  if (decoder.take("cc")) {
    handler = carry_handler<kAdd ? Carried::add : Carried::sub>(decoder, type, false, true);
  } else if (decoder.take("sat")) {
    if (type != Type::s32) decoder.refuse("saturates and is not .s32.");
    handler = kAdd ? binary<s32, AddSaturated> : binary<s32, SubSaturated>;
  } else {
    handler = kAdd ? binary_handler<Add>(type) : binary_handler<Sub>(type);
  }
  take_operands(decoder, type, 2);
}

template <Carried kWhat>
void with_carry(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.instruction.handler = carry_handler<kWhat>(decoder, type, true, decoder.take("cc"));
  take_operands(decoder, type, 2);
}

void mul(Decoder& decoder) {
  const Type type = decoder.take_type();
  if (is_float(type)) return float_rule(decoder, Arithmetic::mul, type);
  Handler& handler = decoder.instruction.handler;
  switch (decoder.take_one_of({"lo", "hi", "wide"})) {
    case 0: handler = binary_handler<MulLow>(type); break;
    case 1: handler = binary_handler<MulHigh>(type); break;
    case 2:
      handler = size_of(type) == 8 ? nullptr : for_integer(type, []<class T>() -> Handler {
        if constexpr (sizeof(T) < 8) return binary<T, MulWide>;
        return nullptr;
      });
      break;
    default: decoder.refuse("says not which half of the product it needs.");
  }
  take_operands(decoder, type, 2);
}

template <bool kReads>
void mad(Decoder& decoder) {
  const Type type = decoder.take_type();
  if (is_float(type)) return float_rule(decoder, Arithmetic::fma, type);
  Handler& handler = decoder.instruction.handler;
  const bool writes = decoder.take("cc");
  const int half = decoder.take_one_of({"lo", "hi", "wide"});
  if (half < 0) decoder.refuse("says not which half of the product it needs.");
  if (kReads || writes) {
    if (half == 2) decoder.refuse("has a carry and is .wide.");
    handler = half == 0 ? carry_handler<Carried::mad_low>(decoder, type, kReads, writes)
                        : carry_handler<Carried::mad_high>(decoder, type, kReads, writes);
  } else if (half == 2) {
    handler = for_integer(type, []<class T>() -> Handler {
      if constexpr (sizeof(T) < 8) return mad_wide<T>;
      return nullptr;
    });
  } else {
    handler = half == 0 ? ternary_handler<MulAdd<MulLow>>(type) : ternary_handler<MulAdd<MulHigh>>(type);
  }
  take_operands(decoder, type, 3);
}

template <bool kAdds>
void mul24(Decoder& decoder) {
  const Type type = decoder.take_type();
  const int half = decoder.take_one_of({"lo", "hi"});
  if ((type != Type::u32 && type != Type::s32) || half < 0) decoder.refuse("is not known for this type.");
  const bool has_sign = type == Type::s32;
  Handler& handler = decoder.instruction.handler;
  if (kAdds) {
    handler = half == 0  ? has_sign ? ternary<s32, MulAdd<Mul24<false>>> : ternary<u32, MulAdd<Mul24<false>>>
               : has_sign ? ternary<s32, MulAdd<Mul24<true>>>
                         : ternary<u32, MulAdd<Mul24<true>>>;
  } else {
    handler = half == 0  ? has_sign ? binary<s32, Mul24<false>> : binary<u32, Mul24<false>>
               : has_sign ? binary<s32, Mul24<true>>
                         : binary<u32, Mul24<true>>;
  }
  take_operands(decoder, type, kAdds ? 3 : 2);
}

template <class Operation, Arithmetic kFloat>
void divide_or_order(Decoder& decoder) {
  const Type type = decoder.take_type();
  if (is_float(type)) return float_rule(decoder, kFloat, type);
  decoder.instruction.handler = binary_handler<Operation>(type);
  take_operands(decoder, type, 2);
}

void rem(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.instruction.handler = binary_handler<Rem>(type);
  take_operands(decoder, type, 2);
}

template <class Operation, Arithmetic kFloat>
void one_operand(Decoder& decoder) {
  const Type type = decoder.take_type();
  if (is_float(type)) return float_rule(decoder, kFloat, type);
  switch (type) {
    case Type::s16: decoder.instruction.handler = unary<s16, Operation>; break;
    case Type::s32: decoder.instruction.handler = unary<s32, Operation>; break;
    case Type::s64: decoder.instruction.handler = unary<s64, Operation>; break;
    default: decoder.refuse("is not known for this type.");
  }
  take_operands(decoder, type, 1);
}

void sad(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.instruction.handler = ternary_handler<Sad>(type);
  take_operands(decoder, type, 3);
}

// Products of four bytes each, added to c.
template <class A, class B>
void dp4a_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) {
    u32 sum = static_cast<u32>(c[lane]);
    for (unsigned byte = 0; byte < 4; ++byte) {
      sum += static_cast<u32>(s32{static_cast<A>(a[lane] >> 8 * byte)} *
                              s32{static_cast<B>(b[lane] >> 8 * byte)});
    }
    d[lane] = sum;
  });
}
void dp4a(Decoder& decoder) {
  const Type first = decoder.take_type(), second = decoder.take_type();
  const bool is_right =
      (first == Type::u32 || first == Type::s32) && (second == Type::u32 || second == Type::s32);
  if (!is_right) decoder.refuse("is not known for this type.");
  decoder.instruction.handler = first == Type::u32
                                    ? second == Type::u32 ? dp4a_lanes<u8, u8> : dp4a_lanes<u8, s8>
                                : second == Type::u32 ? dp4a_lanes<s8, u8>
                                                      : dp4a_lanes<s8, s8>;
  take_operands(decoder, first, 3);
}

}  // namespace

void add_integer_rules(Rules& rules) {
  rules["add"] = add_or_sub<true>;
  rules["sub"] = add_or_sub<false>;
  rules["addc"] = with_carry<Carried::add>;
  rules["subc"] = with_carry<Carried::sub>;
  rules["mul"] = mul;
  rules["mad"] = mad<false>;
  rules["madc"] = mad<true>;
  rules["mul24"] = mul24<false>;
  rules["mad24"] = mul24<true>;
  rules["div"] = divide_or_order<Div, Arithmetic::div>;
  rules["rem"] = rem;
  rules["min"] = divide_or_order<Min, Arithmetic::min>;
  rules["max"] = divide_or_order<Max, Arithmetic::max>;
  rules["abs"] = one_operand<Abs, Arithmetic::abs>;
  rules["neg"] = one_operand<Neg, Arithmetic::neg>;
  rules["sad"] = sad;
  rules["dp4a"] = dp4a;
}

}  // namespace collet::cuda_double
