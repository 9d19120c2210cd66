// Atomic operations on memory: each one is a single atomic exchange on the host.

#include <cmath>

#include "spaces.hpp"

namespace collet::cuda_double {
namespace {

enum class Change : u8 { add, min, max, and_, or_, xor_, exch, cas, inc, dec };

// What becomes of `old`; b is the operand, c the new value of a compare-and-swap.
template <class T, Change kChange>
T changed(T old, T b, T c) {
  if constexpr (kChange == Change::exch) return b;
  if constexpr (kChange == Change::cas) return old == b ? c : old;
  if constexpr (kChange == Change::min) return b < old ? b : old;
  if constexpr (kChange == Change::max) return old < b ? b : old;
  if constexpr (std::is_floating_point_v<T>) {
    const T sum = old + b;
    if (sizeof(T) == 4 && std::isnan(sum)) return from_register<T>(0x7fffffff);
    return sum;
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    if constexpr (kChange == Change::add) {
      return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(b));
    }
    if constexpr (kChange == Change::and_) return static_cast<T>(old & b);
    if constexpr (kChange == Change::or_) return static_cast<T>(old | b);
    if constexpr (kChange == Change::xor_) return static_cast<T>(old ^ b);
    if constexpr (kChange == Change::inc) return old >= b ? T{0} : static_cast<T>(old + 1);
    if constexpr (kChange == Change::dec) return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
}

template <class T, Change kChange, Space kSpace>
void atomic(Warp& warp, const Instruction& instruction, Lanes lanes) {
  using Bits = std::conditional_t<sizeof(T) == 8, u64, std::conditional_t<sizeof(T) == 4, u32, u16>>;
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = kChange == Change::cas ? warp.read(instruction.c) : b;
  const bool has_result = instruction.d != kNoOperand;
  const auto offset = static_cast<u64>(instruction.offset);
  for_lanes(lanes, [&](unsigned lane) {
    auto* memory = reinterpret_cast<Bits*>(bytes_at<kSpace>(warp, lane, a[lane] + offset, sizeof(T)));
    const T x = from_register<T>(b[lane]), y = from_register<T>(c[lane]);
    Bits old = __atomic_load_n(memory, __ATOMIC_RELAXED);
    for (;;) {
      const T next = changed<T, kChange>(from_register<T>(old), x, y);
      if (__atomic_compare_exchange_n(memory, &old, static_cast<Bits>(to_register(next)), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        break;
      }
    }
    if (has_result) warp.write(instruction.d)[lane] = old;
  });
}

template <class T, Change kChange>
Handler in_space(Space space) {
  switch (space) {
    case Space::global: return atomic<T, kChange, Space::global>;
    case Space::shared: return atomic<T, kChange, Space::shared>;
    case Space::generic: return atomic<T, kChange, Space::generic>;
    default: return nullptr;
  }
}

template <Change kChange>
Handler on_bits(Type type, Space space) {
  if (type == Type::b32) return in_space<u32, kChange>(space);
  if (type == Type::b64) return in_space<u64, kChange>(space);
  if constexpr (kChange == Change::cas || kChange == Change::exch) {
    if (type == Type::b16) return in_space<u16, kChange>(space);
  }
  return nullptr;
}

template <Change kChange>
Handler on_numbers(Type type, Space space) {
  switch (type) {
    case Type::u32: return in_space<u32, kChange>(space);
    case Type::s32: return in_space<s32, kChange>(space);
    case Type::u64: return in_space<u64, kChange>(space);
    case Type::s64: return in_space<s64, kChange>(space);
    default: break;
  }
  if constexpr (kChange == Change::add) {
    if (type == Type::f32) return in_space<float, kChange>(space);
    if (type == Type::f64) return in_space<double, kChange>(space);
  }
  return nullptr;
}

template <bool kHasResult>
void atomic_rule(Decoder& decoder) {
  const Space space = take_space(decoder);
  const Type type = decoder.take_type();
  const int change =
      decoder.take_one_of({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  if (change < 0) decoder.refuse("says not what it does.");
  take_hints(decoder);
  Instruction& made = decoder.instruction;
  switch (static_cast<Change>(change)) {
    case Change::add: made.handler = on_numbers<Change::add>(type, space); break;
    case Change::min: made.handler = on_numbers<Change::min>(type, space); break;
    case Change::max: made.handler = on_numbers<Change::max>(type, space); break;
    case Change::and_: made.handler = on_bits<Change::and_>(type, space); break;
    case Change::or_: made.handler = on_bits<Change::or_>(type, space); break;
    case Change::xor_: made.handler = on_bits<Change::xor_>(type, space); break;
    case Change::exch: made.handler = on_bits<Change::exch>(type, space); break;
    case Change::cas: made.handler = on_bits<Change::cas>(type, space); break;
    case Change::inc: made.handler = type == Type::u32 ? in_space<u32, Change::inc>(space) : nullptr; break;
    case Change::dec: made.handler = type == Type::u32 ? in_space<u32, Change::dec>(space) : nullptr; break;
  }
  const std::size_t first = kHasResult ? 1 : 0;
  const bool is_cas = static_cast<Change>(change) == Change::cas;
  decoder.expect(first + (is_cas ? 3 : 2));
  if (kHasResult) made.d = decoder.output(0);
  made.a = decoder.address(first);
  made.b = decoder.input(first + 1, type);
  if (is_cas) made.c = decoder.input(first + 2, type);
}

}  // namespace

void add_atomic_rules(Rules& rules) {
  rules["atom"] = atomic_rule<true>;
  rules["red"] = atomic_rule<false>;
}

}  // namespace collet::cuda_double
