// Values, loads and stores of one item.
#pragma once

#include "fuzz/random_launch.hpp"

namespace collet::fuzz {

// Threads: one at a time.
class RandomValues : public RandomLaunch {
 protected:
  using RandomLaunch::RandomLaunch;
  ~RandomValues() = default;

  // A value of the type, an old one where there is one.
  Id pick(Type t) {
    if (chance(90)) {
      for (int attempt = 0; attempt < 20 && !visible_.empty(); ++attempt) {
        const Id id = visible_[visible_.size() - 1 - below(std::min<std::size_t>(visible_.size(), 40))];
        if (kernel_.nodes[id].type == t && kernel_.nodes[id].op != Op::variable) return id;
      }
    }
    if (t.width > 1) {
      Node node{.op = Op::compose, .type = t, .count = t.width};
      for (std::size_t c = 0; c < t.width; ++c) node.arguments[c] = pick({t.scalar, 1});
      return add(node);
    }
    if (t == ir::kBool) {
      const Type one{number().scalar, 1};
      const Id a = pick(one);
      const Id b = pick(one);
      return op(static_cast<Op>(static_cast<int>(Op::lt) + static_cast<int>(below(4))), ir::kBool, {a, b});
    }
    if (in_function_) return constant(t.scalar, tricky(t.scalar));
    if (t == ir::kU32 && chance(60)) {
      static constexpr std::array<Op, 4> kIds{Op::global_id, Op::local_id, Op::group_id, Op::element_count};
      const Op id = one_of(kIds);
      return op(id, ir::kU32, {}, below(3));
    }
    if (wide_ && t == ir::kU32 && chance(10)) return op(Op::length, t, {}, below(kBuffers));
    if (portable_ && chance(20)) return parameter(t);
    if (ir::is_number(t.scalar) && chance(60)) return load(t);
    return constant(t.scalar, tricky(t.scalar));
  }

  Id parameter(Type t) {
    if (t == ir::kU32 && chance(50)) return op(Op::parameter, t, {}, 0);
    if (t == ir::kI32 && chance(50)) return op(Op::parameter, t, {}, 1);
    if (t == ir::kF32) return op(Op::parameter, t, {}, 2);
    if (t == ir::kBool || ir::bits(t.scalar) == 64) return constant(t.scalar, tricky(t.scalar));
    return op(Op::parameter, t, {}, ir::pack(3, offset(t, kStructBytes)));
  }

  // A byte of an element of `bytes` where a value of the type has room.
  std::uint32_t offset(Type t, std::uint32_t bytes) {
    const std::uint32_t size = ir::bits(t.scalar) / 8;
    return below((bytes - size * t.width) / size + 1) * size;
  }

  // Of anything that holds such values, and for a portable kernel at an index that exists.
  Id load(Type t) {
    if (table_ != kNone && kernel_.memories[table_].element == t && chance(40))
      return op(Op::load, t, {small(count(table_))}, table_);
    if (!portable_) {
      const std::uint32_t memory = chance(70) ? 0 : own_;
      const Id index = small(chance(20) ? 100 : memory == own_ ? 4 : 60);
      return load_at(t, memory, index, 32);
    }
    if (t.scalar == Scalar::f32) return load_float(t);
    if (ir::is_float(t.scalar)) {
      settle(op(Op::convert, t, {load_float({Scalar::f32, t.width})}));
      return visible_.back();
    }
    const bool byte = t.scalar == Scalar::u8 || t.scalar == Scalar::i8;
    if (byte && t.width == 1 && chance(50)) return op(Op::load, t, {small(kByteCount)}, kBytes);
    if (t.scalar == Scalar::i16 && t.width == 1 && chance(40)) return op(Op::load, t, {place()}, kShorts);
    if (ir::bits(t.scalar) / 8 * t.width <= 8 && chance(20)) return load_at(t, kPairs, place(), 8);
    if (chance(10)) return load_at(t, kOut, out_slot(), 32);
    if (initialised_ && chance(30)) return load_at(t, own_, small(count(own_)), 32);
    return load_at(t, kIn, small(kInCount), 32);
  }
  // Somewhere in an element of `bytes`.
  Id load_at(Type t, std::uint32_t memory, Id index, std::uint32_t bytes) {
    return op(Op::load, t, {index}, ir::pack(memory, offset(t, bytes)));
  }
  Id load_float(Type t) {
    if (t.width == 1) {
      if (initialised_ && chance(30)) return op(Op::load, t, {small(count(floats_))}, floats_);
      return op(Op::load, t, {small(kNumberCount)}, kNumbers);
    }
    Node node{.op = Op::compose, .type = t, .count = t.width};
    for (std::size_t c = 0; c < t.width; ++c) node.arguments[c] = load_float({t.scalar, 1});
    return add(node);
  }
  std::uint32_t count(std::uint32_t memory) const {
    return static_cast<std::uint32_t>(kernel_.memories[memory].count);
  }

  // A u32 that is below `limit`; in wild kernels mostly.
  Id small(std::uint32_t limit) {
    if (limit == 1 && portable_) return u32(0);
    const Id any = pick(ir::kU32);
    return portable_ || chance(70) ? op(Op::rem, ir::kU32, {any, u32(limit)}) : any;
  }

  // ---- Values

  void pure() {
    const auto first = static_cast<int>(Op::negate);
    const auto o = static_cast<Op>(first + static_cast<int>(below(static_cast<int>(Op::all) - first + 1)));
    Type t = type();
    switch (ir::rule(o)) {
      case ir::Rule::number1:
      case ir::Rule::number2: t = o == Op::div || o == Op::rem ? raw() : number(); break;
      case ir::Rule::integer1:
      case ir::Rule::integer2: t = type_where(ir::is_integer); break;
      case ir::Rule::bits1:
      case ir::Rule::bits2: t = type_where([](Scalar s) { return !ir::is_float(s); }); break;
      case ir::Rule::float1:
      case ir::Rule::float2:
      case ir::Rule::float3:
        if (portable_) return rounding();
        t = type_where(ir::is_float);
        break;
      default: return other(o, t);
    }
    Node node{.op = o, .type = t, .count = ir::arity(o)};
    for (std::size_t i = 0; i < node.count; ++i) node.arguments[i] = pick(t);
    settle(add(node));
  }

  // Of eighths and halves, which are exact.
  void rounding() {
    static constexpr std::array<Op, 4> kOps{Op::floor, Op::ceil, Op::trunc, Op::round_even};
    const Scalar s = halves_ && chance(30) ? Scalar::f16 : doubles_ && chance(30) ? Scalar::f64 : Scalar::f32;
    const Type t{s, static_cast<std::uint8_t>(1 + below(2))};
    const double part = chance(50) ? 0.5 : -0.125;
    const Id value = pick(t);
    const std::size_t seen = visible_.size();
    const Id divided = op(Op::mul, t, {value, filled(t, float_bits(s, part))});
    visible_.resize(seen);  // parts of one stay here
    settle(op(one_of(kOps), t, {divided}));
  }

  // Wild: makes one NaN of all, as their bits are open and a bitcast would show them; as integers, since a
  // compiler may take select(x != x, NaN, x) for x. Portable: makes large floats small.
  void settle(Id id) {
    const Type t = kernel_.nodes[id].type;
    if (!ir::is_float(t.scalar)) return;
    visible_.pop_back();
    const std::size_t seen = visible_.size();
    if (portable_) {
      const Id size = op(Op::abs, t, {id});
      visible_.pop_back();
      const Id most = filled(t, most_float(t.scalar));
      const Id inside = op(Op::lt, ir::mask_of(t), {size, most});
      op(Op::select, t, {inside, id, filled(t, whole_float(t.scalar))});
      return;
    }
    const Type bits{ir::unsigned_of(t.scalar), t.width};
    const std::uint64_t infinity = t.scalar == Scalar::f16   ? 0x7c00
                                   : t.scalar == Scalar::f32 ? 0x7f800000
                                                             : 0x7ff0000000000000;
    const Id held = op(Op::bitcast, bits, {id});
    const Id size =
        op(Op::bit_and, bits, {held, filled(bits, (std::uint64_t{1} << (ir::bits(t.scalar) - 1)) - 1)});
    const Id is_nan = op(Op::gt, ir::mask_of(t), {size, filled(bits, infinity)});
    const Id one = op(Op::select, bits, {is_nan, filled(bits, infinity | infinity >> 1), held});
    visible_.resize(seen);
    op(Op::bitcast, t, {one});
  }

  void other(Op o, Type t) {
    switch (o) {
      case Op::eq:
      case Op::ne: {
        const Id a = pick(t);
        op(o, ir::mask_of(t), {a, pick(t)});
        return;
      }
      case Op::lt:
      case Op::le:
      case Op::gt:
      case Op::ge: {
        t = number();
        const Id a = pick(t);
        op(o, ir::mask_of(t), {a, pick(t)});
        return;
      }
      case Op::select: {
        const Id condition = pick(chance(50) ? ir::kBool : ir::mask_of(t));
        const Id a = pick(t);
        op(o, t, {condition, a, pick(t)});
        return;
      }
      case Op::convert: settle(op(o, t, {pick({scalar(), t.width})})); return;
      case Op::bitcast: {
        t = raw();
        const Type from =
            type_where([&](Scalar s) { return ir::is_number(s) && ir::bits(s) == ir::bits(t.scalar); });
        op(o, t, {pick({from.scalar, t.width})});
        return;
      }
      case Op::extract: {
        t.width = static_cast<std::uint8_t>(2 + below(3));
        const std::uint32_t component = below(t.width);
        op(o, {t.scalar, 1}, {pick(t)}, component);
        return;
      }
      case Op::any:
      case Op::all:
        op(o, ir::kBool, {pick({Scalar::boolean, static_cast<std::uint8_t>(2 + below(3))})});
        return;
      default: pick(t); return;
    }
  }

  void linear() {
    static constexpr std::array<Op, 5> kOps{Op::add, Op::sub, Op::mul, Op::shl, Op::add};
    const Op chosen = one_of(kOps);
    const Id a = pick(ir::kU32);
    op(chosen, ir::kU32, {a, chance(60) ? u32(below(5)) : pick(ir::kU32)});
  }

  // ---- Memory

  // The item's number in the launch, known to every block.
  Id place() const { return place_; }
  Id make_place() {
    Id made = kNone;
    for (int d = 2; d >= 0; --d) {
      const Id id = op(Op::global_id, ir::kU32, {}, static_cast<std::uint64_t>(d));
      const Id group_count = op(Op::group_count, ir::kU32, {}, static_cast<std::uint64_t>(d));
      const Id size = op(Op::group_size, ir::kU32, {}, static_cast<std::uint64_t>(d));
      const Id width = op(Op::mul, ir::kU32, {group_count, size});
      made = made == kNone ? id : op(Op::add, ir::kU32, {op(Op::mul, ir::kU32, {made, width}), id});
    }
    return made;
  }
  Id out_slot() {
    const Id first = op(Op::mul, ir::kU32, {place(), u32(kSlots)});
    const Id slot = chance(70) ? u32(below(kSlots)) : op(Op::rem, ir::kU32, {pick(ir::kU32), u32(kSlots)});
    return op(Op::add, ir::kU32, {first, slot});
  }

  void store_to(std::uint32_t memory, Id index, Id value, std::uint32_t at = 0) {
    op(Op::store, ir::kNothing, {index, value}, ir::pack(memory, at));
  }

  // To a place that no other item knows.
  void store() {
    const Type t = number();
    const Id value = pick(t);
    if (chance(30)) {
      if (portable_ && t == ir::kF32) return store_to(floats_, small(count(floats_)), value);
      const Id index = small(portable_ ? count(own_) : 4);
      return store_to(own_, index, value, offset(t, 32));
    }
    if (portable_ && chance(25)) {
      if (ir::bits(t.scalar) == 16 && t.width == 1) return store_to(kShorts, place(), value);
      if (ir::bits(t.scalar) / 8 * t.width <= 8) return store_to(kPairs, place(), value, offset(t, 8));
    }
    const Id slot = out_slot();
    store_to(kOut, slot, value, offset(t, 32));
  }

  // Private arrays begin with whatever was there.
  void initialise() {
    for (std::uint32_t i = 0; i < count(own_); ++i) {
      for (const std::uint32_t at : {0u, 16u}) {
        const Id value = pick({Scalar::u32, 4});
        store_to(own_, u32(i), value, at);
      }
    }
    for (std::uint32_t i = 0; i < count(floats_); ++i) {
      const Id value = pick(ir::kF32);
      store_to(floats_, u32(i), value);
    }
    initialised_ = true;
  }

  // One operation per memory, so that the order does not show.
  void atomic() {
    const bool sums = chance(50);
    const Type t = sums ? ir::kU32 : ir::kI32;
    const Id index = small(kCellCount);
    op(atomics_[sums ? 0 : 1], t, {index, pick(t)}, sums ? kSums : kMarks);
    visible_.pop_back();
  }

  // A float is put there, changed, seen and covered: what it becomes is open in its last bits.
  void own_float_atomic() {
    static constexpr std::array<Op, 4> kOps{Op::atomic_add, Op::atomic_sub, Op::atomic_min, Op::atomic_max};
    const Type t{doubles_ && long_atomics_ && chance(30) ? Scalar::f64 : Scalar::f32};
    const std::uint64_t where = ir::pack(kPairs, offset(t, 8));
    op(Op::atomic_exchange, t, {place(), pick(t)}, where);
    visible_.pop_back();  // bytes of any kind
    op(one_of(kOps), t, {place(), pick(t)}, where);
    settle(op(Op::atomic_exchange, t, {place(), pick(t)}, where));
  }

  // On what no other item knows, so that what it finds may show.
  void own_atomic() {
    if (chance(20)) return own_float_atomic();
    static constexpr std::array<Scalar, 4> kTypes{Scalar::u32, Scalar::i32, Scalar::u64, Scalar::i64};
    const Type t{kTypes[below(long_atomics_ ? 4 : 2)]};
    const std::uint64_t where = ir::pack(kPairs, offset(t, 8));
    switch (below(5)) {
      case 0: op(Op::atomic_load, t, {place()}, where); return;
      case 1: op(Op::atomic_store, ir::kNothing, {place(), pick(t)}, where); return;
      case 2: op(Op::atomic_exchange, t, {place(), pick(t)}, where); return;
      case 3: {
        const Id expected = chance(50) ? pick(t) : op(Op::load, t, {place()}, where);
        op(Op::atomic_compare_exchange, t, {place(), expected, pick(t)}, where);
        return;
      }
      default: op(one_of(kAtomics), t, {place(), pick(t)}, where); return;
    }
  }

  Id place_ = kNone;
  bool initialised_ = false;  // private arrays hold something
};

}  // namespace collet::fuzz
