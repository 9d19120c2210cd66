// Arithmetic of halves: done in double, where sums and products of halves are exact, and rounded once.

#include <cmath>

#include "float_rules.hpp"
#include "lane_loops.hpp"
#include "ptx_decoder.hpp"

namespace collet::cuda_double {
namespace {

template <bool kSaturate>
Half rounded(double value) {
  if (kSaturate) value = value > 0 ? value < 1 ? value : 1 : 0;
  return double_to_half(value);
}

template <class Operation, bool kSaturate>
void compute(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  const auto value = [](u64 bits) { return half_to_double(from_register<Half>(bits)); };
  for_lanes(lanes, [=](unsigned lane) {
    d[lane] = to_register(rounded<kSaturate>(Operation{}(value(a[lane]), value(b[lane]), value(c[lane]))));
  });
}

struct AddH {
  double operator()(double a, double b, double) const { return a + b; }
};
struct SubH {
  double operator()(double a, double b, double) const { return a - b; }
};
struct MulH {
  double operator()(double a, double b, double) const { return a * b; }
};
// The product is exact; of a sum that is not, the last bit is made odd, so that it is rounded right later.
struct FmaH {
  double operator()(double a, double b, double c) const {
    const double product = a * b, sum = product + c;
    if (!std::isfinite(sum)) return sum;
    const double back = sum - product;
    const double error = (product - (sum - back)) + (c - back);
    if (error == 0 || (std::bit_cast<u64>(sum) & 1) != 0) return sum;
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
  }
};
template <bool kMin>
struct OrderH {
  double operator()(double a, double b, double) const {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    const bool a_is_less = a < b || (a == b && std::signbit(a));
    return a_is_less == kMin ? a : b;
  }
};

template <bool kAbs>
void change_sign(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = kAbs ? a[lane] & 0x7fff : (a[lane] & 0xffff) ^ 0x8000; });
}

template <class Operation>
Handler handler_for(Decoder& decoder) {
  return decoder.take("sat") ? compute<Operation, true> : compute<Operation, false>;
}

}  // namespace

void half_rule(Decoder& decoder, Arithmetic operation) {
  decoder.take("rn");
  Instruction& made = decoder.instruction;
  std::size_t count = 2;
  switch (operation) {
    case Arithmetic::add: made.handler = handler_for<AddH>(decoder); break;
    case Arithmetic::sub: made.handler = handler_for<SubH>(decoder); break;
    case Arithmetic::mul: made.handler = handler_for<MulH>(decoder); break;
    case Arithmetic::min: made.handler = compute<OrderH<true>, false>; break;
    case Arithmetic::max: made.handler = compute<OrderH<false>, false>; break;
    case Arithmetic::fma:
      made.handler = handler_for<FmaH>(decoder);
      count = 3;
      break;
    case Arithmetic::abs:
    case Arithmetic::neg:
      made.handler = operation == Arithmetic::abs ? change_sign<true> : change_sign<false>;
      count = 1;
      break;
    case Arithmetic::div: break;
  }
  decoder.expect(count + 1);
  made.d = decoder.output(0);
  made.a = made.b = made.c = decoder.input(1, Type::b16);
  if (count > 1) made.b = decoder.input(2, Type::b16);
  if (count > 2) made.c = decoder.input(3, Type::b16);
}

}  // namespace collet::cuda_double
