// Conversions between types of numbers.

#include <cmath>
#include <utility>

#include "lane_loops.hpp"
#include "ptx_decoder.hpp"
#include "rounding.hpp"

namespace collet::cuda_double {
namespace {

template <class T>
constexpr bool kIsHalf = std::is_same_v<T, Half>;
template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T> || kIsHalf<T>;

// Instruction::target has the mode of rounding, and these bits.
constexpr u32 kModeBits = 0xffff;
constexpr u32 kSaturates = 1 << 16;
constexpr u32 kFlushes = 1 << 17;
constexpr u32 kToWhole = 1 << 18;  // .rni and the like: the result has no fraction

double round_to_whole(double value, u32 mode) {
  switch (mode) {
    case FE_TOWARDZERO: return std::trunc(value);
    case FE_DOWNWARD: return std::floor(value);
    case FE_UPWARD: return std::ceil(value);
    default: return std::nearbyint(value);
  }
}

template <class From>
double as_double(u64 bits, u32 flags) {
  if constexpr (kIsHalf<From>) {
    return half_to_double(from_register<Half>(bits));
  } else {
    const From value = from_register<From>(bits);
    if ((flags & kFlushes) != 0 && std::fpclassify(value) == FP_SUBNORMAL) return std::copysign(0.0, value);
    return static_cast<double>(value);
  }
}

// Values out of range become the nearest one. What a NaN becomes depends on both types.
template <class To, class From>
To float_to_integer(double value) {
  if (std::isnan(value)) {
    if (sizeof(From) < 8 && sizeof(To) < 8) return 0;
    return static_cast<To>(std::make_unsigned_t<To>{1} << (8 * sizeof(To) - 1));
  }
  const double above = std::ldexp(1, std::numeric_limits<To>::digits);
  if (value >= above) return std::numeric_limits<To>::max();
  if (value < static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  return static_cast<To>(value);
}

template <class To>
u64 float_to_float(double value, u32 flags) {
  if ((flags & kSaturates) != 0) value = value > 0 ? value < 1 ? value : 1 : 0;
  if constexpr (kIsHalf<To>) {
    return double_to_half(value, (flags & kModeBits) == FE_TOWARDZERO).bits;
  } else {
    const To result = static_cast<To>(value);
    if (sizeof(To) == 4 && std::isnan(result)) return 0x7fffffff;
    if ((flags & kFlushes) != 0 && std::fpclassify(result) == FP_SUBNORMAL) {
      return to_register(std::copysign(To{0}, result));
    }
    return to_register(result);
  }
}

template <class To, class From>
To saturate(From value) {
  if (std::in_range<To>(value)) return static_cast<To>(value);
  return value < 0 ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
}

template <class To, class From>
u64 converted(u64 bits, u32 flags) {
  if constexpr (kIsFloat<From>) {
    double value = as_double<From>(bits, flags);
    if ((flags & kToWhole) != 0) value = round_to_whole(value, flags & kModeBits);
    if constexpr (kIsFloat<To>) {
      return float_to_float<To>(value, flags);
    } else {
      return to_register(float_to_integer<To, From>(value));
    }
  } else {
    const From value = from_register<From>(bits);
    if constexpr (kIsHalf<To>) {
      // Halves end at 65504: what a double can't hold exactly is far above.
      return double_to_half(static_cast<double>(value), (flags & kModeBits) == FE_TOWARDZERO).bits;
    } else if constexpr (kIsFloat<To>) {
      return to_register(static_cast<To>(value));
    } else if ((flags & kSaturates) != 0) {
      return to_register(saturate<To>(value));
    } else {
      return to_register(static_cast<To>(value));
    }
  }
}

template <class To, class From>
void convert(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  u64* d = warp.write(instruction.d);
  const u32 flags = instruction.target;
  if constexpr (!kIsFloat<From> && !kIsFloat<To>) {
    for_lanes(lanes, [=](unsigned lane) { d[lane] = converted<To, From>(a[lane], flags); });
  } else {
    const Rounding rounding((flags & kToWhole) != 0 ? FE_TONEAREST : flags & kModeBits);
    for_lanes(lanes, [=](unsigned lane) { d[lane] = converted<To, From>(a[lane], flags); });
  }
}

template <class Pick>
Handler for_number(Type type, Pick pick) {
  switch (type) {
    case Type::u8: return pick.template operator()<u8>();
    case Type::u16: return pick.template operator()<u16>();
    case Type::u32: return pick.template operator()<u32>();
    case Type::u64: return pick.template operator()<u64>();
    case Type::s8: return pick.template operator()<s8>();
    case Type::s16: return pick.template operator()<s16>();
    case Type::s32: return pick.template operator()<s32>();
    case Type::s64: return pick.template operator()<s64>();
    case Type::f16: return pick.template operator()<Half>();
    case Type::f32: return pick.template operator()<float>();
    case Type::f64: return pick.template operator()<double>();
    default: return nullptr;
  }
}

void cvt(Decoder& decoder) {
  static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  const Type to = decoder.take_type(), from = decoder.take_type();
  u32 flags = 0;
  const int whole = decoder.take_one_of({"rni", "rzi", "rmi", "rpi"});
  if (whole >= 0) {
    flags = static_cast<u32>(kModes[whole]) | kToWhole;
  } else {
    flags = take_rounding(decoder);
    if (is_float(from) && !is_float(to)) decoder.refuse("says not how it is rounded.");
    if (to == Type::f16 && flags != FE_TONEAREST && flags != FE_TOWARDZERO) {
      decoder.refuse("is rounded in a way that is not known.");
    }
  }
  if (decoder.take("sat")) flags |= kSaturates;
  if (decoder.take("ftz")) flags |= kFlushes;
  decoder.expect(2);
  Instruction& made = decoder.instruction;
  made.target = flags;
  made.handler = for_number(to, [from]<class To>() {
    return for_number(from, []<class From>() -> Handler { return convert<To, From>; });
  });
  made.d = decoder.output(0);
  made.a = decoder.input(1, from == Type::f16 ? Type::b16 : from);
}

}  // namespace

void add_conversion_rules(Rules& rules) { rules["cvt"] = cvt; }

}  // namespace collet::cuda_double
