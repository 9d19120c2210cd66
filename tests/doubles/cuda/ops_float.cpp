// Arithmetic of floats and doubles.
//
// Results are those of IEEE 754, as on GPUs. What GPUs approximate is computed in double and rounded, so it
// is as good as any GPU's, but its last bits are no GPU's.

#include <cmath>

#include "float_rules.hpp"
#include "lane_loops.hpp"
#include "ptx_decoder.hpp"
#include "rounding.hpp"

namespace collet::cuda_double {
namespace {

template <class T>
T flush(T value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T{0}, value) : value;
}

// GPUs have one NaN of 32 bits; doubles keep theirs.
template <class T>
T canonical(T value) {
  if constexpr (sizeof(T) == 4) {
    if (std::isnan(value)) return std::bit_cast<float>(0x7fffffffU);
  }
  return value;
}

template <class T>
T saturate(T value) {
  return value > 0 ? value < 1 ? value : T{1} : T{0};  // a NaN becomes 0
}

struct AddF {
  static constexpr int kOperands = 2;
  template <class T>
  T operator()(T a, T b, T) const {
    return a + b;
  }
};
struct SubF {
  static constexpr int kOperands = 2;
  template <class T>
  T operator()(T a, T b, T) const {
    return a - b;
  }
};
struct MulF {
  static constexpr int kOperands = 2;
  template <class T>
  T operator()(T a, T b, T) const {
    return a * b;
  }
};
struct DivF {
  static constexpr int kOperands = 2;
  template <class T>
  T operator()(T a, T b, T) const {
    return a / b;
  }
};
struct Fma {
  static constexpr int kOperands = 3;
  template <class T>
  T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
};
// The smaller one of two zeros is the negative one.
template <bool kMin, bool kNan>
struct Order {
  static constexpr int kOperands = 2;
  template <class T>
  T operator()(T a, T b, T) const {
    if (std::isnan(a)) return kNan ? a : b;
    if (std::isnan(b)) return kNan ? b : a;
    const bool a_is_less = a < b || (a == b && std::signbit(a));
    return a_is_less == kMin ? a : b;
  }
};
struct Sqrt {
  static constexpr int kOperands = 1;
  template <class T>
  T operator()(T a, T, T) const {
    return std::sqrt(a);
  }
};
struct Rcp {
  static constexpr int kOperands = 1;
  template <class T>
  T operator()(T a, T, T) const {
    return T{1} / a;
  }
};

template <double (*kFunction)(double)>
struct Approximation {
  static constexpr int kOperands = 1;
  template <class T>
  T operator()(T a, T, T) const {
    return static_cast<T>(kFunction(static_cast<double>(a)));
  }
};
double sin_of(double a) { return std::sin(a); }
double cos_of(double a) { return std::cos(a); }
double tanh_of(double a) { return std::tanh(a); }
double exp2_of(double a) { return std::exp2(a); }
double log2_of(double a) { return std::log2(a); }
double sqrt_of(double a) { return std::sqrt(a); }
double rcp_of(double a) { return 1 / a; }
double rsqrt_of(double a) { return 1 / std::sqrt(a); }
// Only the upper half of the result has a value.
double upper(double value) { return std::bit_cast<double>(std::bit_cast<u64>(value) & ~u64{0xffffffff}); }
double rough_rcp(double a) { return upper(flush(1 / flush(a))); }
double rough_rsqrt(double a) { return upper(1 / std::sqrt(flush(a))); }

struct DivApproximate {
  static constexpr int kOperands = 2;
  template <class T>
  T operator()(T a, T b, T) const {
    return static_cast<T>(static_cast<double>(a) / static_cast<double>(b));
  }
};

// The mode of rounding is in `target`.
template <class T, class Operation, bool kFlush, bool kSaturate>
void compute(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const Rounding rounding(instruction.target);
  const u64* a = warp.read(instruction.a);
  const u64* b = Operation::kOperands > 1 ? warp.read(instruction.b) : a;
  const u64* c = Operation::kOperands > 2 ? warp.read(instruction.c) : a;
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) {
    T x = from_register<T>(a[lane]), y = from_register<T>(b[lane]), z = from_register<T>(c[lane]);
    if constexpr (kFlush) {
      x = flush(x);
      y = flush(y);
      z = flush(z);
    }
    T result = canonical(Operation{}(x, y, z));
    if constexpr (kFlush) result = flush(result);
    if constexpr (kSaturate) result = saturate(result);
    d[lane] = to_register(result);
  });
}

template <class Operation>
Handler handler_for(Decoder& decoder, Type type) {
  const bool flushes = decoder.take("ftz"), saturates = decoder.take("sat");
  if (type == Type::f64) {
    if (flushes || saturates) return nullptr;
    return compute<double, Operation, false, false>;
  }
  if (type != Type::f32) return nullptr;
  if (flushes) {
    return saturates ? compute<float, Operation, true, true> : compute<float, Operation, true, false>;
  }
  return saturates ? compute<float, Operation, false, true> : compute<float, Operation, false, false>;
}

void take_operands(Decoder& decoder, Type type, std::size_t count) {
  decoder.expect(count + 1);
  Instruction& made = decoder.instruction;
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  if (count > 1) made.b = decoder.input(2, type);
  if (count > 2) made.c = decoder.input(3, type);
}

// The sign alone: no rounding, and NaNs stay what they are.
template <class T, bool kAbs, bool kFlush>
void change_sign(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  u64* d = warp.write(instruction.d);
  const u64 sign = u64{1} << (8 * sizeof(T) - 1);
  for_lanes(lanes, [=](unsigned lane) {
    u64 value = a[lane];
    if constexpr (kFlush) value = to_register(flush(from_register<T>(value)));
    d[lane] = kAbs ? value & (sign - 1) : (value & ((sign << 1) - 1)) ^ sign;
  });
}
template <bool kAbs>
void sign_rule(Decoder& decoder, Type type) {
  const bool flushes = decoder.take("ftz");
  Handler& handler = decoder.instruction.handler;
  if (type == Type::f32) handler = flushes ? change_sign<float, kAbs, true> : change_sign<float, kAbs, false>;
  if (type == Type::f64 && !flushes) handler = change_sign<double, kAbs, false>;
  take_operands(decoder, type, 1);
}

template <bool kMin>
void order_rule(Decoder& decoder, Type type) {
  const bool keeps_nan = decoder.take("NaN");
  decoder.instruction.target = FE_TONEAREST;
  decoder.instruction.handler = keeps_nan ? handler_for<Order<kMin, true>>(decoder, type)
                                          : handler_for<Order<kMin, false>>(decoder, type);
  take_operands(decoder, type, 2);
}

void fma(Decoder& decoder) {
  const Type type = decoder.take_type();
  float_rule(decoder, Arithmetic::fma, type);
}

template <class Exact, class Approximate, class Rough>
void root_or_reciprocal(Decoder& decoder) {
  const Type type = decoder.take_type();
  Instruction& made = decoder.instruction;
  if (decoder.take("approx")) {
    made.target = FE_TONEAREST;
    if (type == Type::f64) {
      made.handler = decoder.take("ftz") ? compute<double, Rough, false, false>
                                         : compute<double, Approximate, false, false>;
    } else {
      made.handler = handler_for<Approximate>(decoder, type);
    }
  } else {
    made.target = take_rounding(decoder);
    made.handler = handler_for<Exact>(decoder, type);
  }
  take_operands(decoder, type, 1);
}

template <class Operation>
void approximate(Decoder& decoder) {
  const Type type = decoder.take_type();
  if (!decoder.take("approx")) decoder.refuse("is not .approx.");
  if (type != Type::f32) decoder.refuse("is not known for this type.");
  decoder.instruction.target = FE_TONEAREST;
  decoder.instruction.handler = handler_for<Operation>(decoder, type);
  take_operands(decoder, type, 1);
}
void rsqrt(Decoder& decoder) {
  root_or_reciprocal<Approximation<rsqrt_of>, Approximation<rsqrt_of>, Approximation<rough_rsqrt>>(decoder);
}

// The sign of a and the rest of b.
template <class T>
void copy_sign(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) {
    d[lane] = to_register(std::copysign(from_register<T>(b[lane]), from_register<T>(a[lane])));
  });
}
void copysign(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.instruction.handler = for_float(type, []<class T>() -> Handler { return copy_sign<T>; });
  take_operands(decoder, type, 2);
}

enum class Property : u8 { finite, infinite, number, notanumber, normal, subnormal };
template <class T>
void test_property(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  Lanes yes = 0;
  for_lanes(lanes, [&](unsigned lane) {
    const T value = from_register<T>(a[lane]);
    bool has = false;
    switch (static_cast<Property>(instruction.target)) {
      case Property::finite: has = std::isfinite(value); break;
      case Property::infinite: has = std::isinf(value); break;
      case Property::number: has = !std::isnan(value); break;
      case Property::notanumber: has = std::isnan(value); break;
      case Property::normal: has = std::isnormal(value); break;
      case Property::subnormal: has = std::fpclassify(value) == FP_SUBNORMAL; break;
    }
    yes |= Lanes{has} << lane;
  });
  warp.set_predicate(instruction.d, lanes, yes);
}
void testp(Decoder& decoder) {
  const Type type = decoder.take_type();
  const int property =
      decoder.take_one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (property < 0) decoder.refuse("says not what it tests.");
  decoder.expect(2);
  Instruction& made = decoder.instruction;
  made.target = static_cast<u32>(property);
  made.handler = for_float(type, []<class T>() -> Handler { return test_property<T>; });
  made.d = decoder.predicate_output(0);
  made.a = decoder.input(1, type);
}

}  // namespace

void float_rule(Decoder& decoder, Arithmetic operation, Type type) {
  if (type == Type::f16) return half_rule(decoder, operation);
  Instruction& made = decoder.instruction;
  switch (operation) {
    case Arithmetic::min: return order_rule<true>(decoder, type);
    case Arithmetic::max: return order_rule<false>(decoder, type);
    case Arithmetic::abs: return sign_rule<true>(decoder, type);
    case Arithmetic::neg: return sign_rule<false>(decoder, type);
    case Arithmetic::div:
      if (decoder.take("approx") || decoder.take("full")) {
        made.target = FE_TONEAREST;
        made.handler = type == Type::f32 ? handler_for<DivApproximate>(decoder, type) : nullptr;
        return take_operands(decoder, type, 2);
      }
      break;
    default: break;
  }
  made.target = take_rounding(decoder);
  switch (operation) {
    case Arithmetic::add: made.handler = handler_for<AddF>(decoder, type); break;
    case Arithmetic::sub: made.handler = handler_for<SubF>(decoder, type); break;
    case Arithmetic::mul: made.handler = handler_for<MulF>(decoder, type); break;
    case Arithmetic::div: made.handler = handler_for<DivF>(decoder, type); break;
    default: made.handler = handler_for<Fma>(decoder, type); break;
  }
  take_operands(decoder, type, operation == Arithmetic::fma ? 3 : 2);
}

void add_float_rules(Rules& rules) {
  rules["fma"] = fma;
  rules["sqrt"] = root_or_reciprocal<Sqrt, Approximation<sqrt_of>, Approximation<sqrt_of>>;
  rules["rcp"] = root_or_reciprocal<Rcp, Approximation<rcp_of>, Approximation<rough_rcp>>;
  rules["rsqrt"] = rsqrt;
  rules["sin"] = approximate<Approximation<sin_of>>;
  rules["cos"] = approximate<Approximation<cos_of>>;
  rules["tanh"] = approximate<Approximation<tanh_of>>;
  rules["ex2"] = approximate<Approximation<exp2_of>>;
  rules["lg2"] = approximate<Approximation<log2_of>>;
  rules["copysign"] = copysign;
  rules["testp"] = testp;
}

}  // namespace collet::cuda_double
