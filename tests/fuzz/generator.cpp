// The generator: statements at random, operands from what is visible.

#include "fuzz/generator.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <span>

namespace collet::fuzz {
namespace {

using ir::Id;
using ir::kNone;
using ir::Node;
using ir::Op;
using ir::Scalar;
using ir::Space;
using ir::Type;

constexpr std::uint32_t kSlots = 8;  // of 32 bytes in `out`, for each item
constexpr std::uint32_t kInCount = 70;
constexpr std::uint32_t kNumberCount = 200;
constexpr std::uint32_t kByteCount = 101;
constexpr std::uint32_t kCellCount = 16;  // of sums and marks
constexpr float kMostFloat = 4096;        // products of two stay below 2^24
constexpr std::uint32_t kStructBytes = 16;

constexpr std::array<std::array<std::uint32_t, 3>, 8> kGroups{
    {{64, 1, 1}, {8, 8, 1}, {5, 3, 2}, {1, 16, 1}, {300, 1, 1}, {17, 1, 1}, {1, 1, 1}, {2, 3, 31}}};

// Threads: one at a time; run() once.
class Generator {
 public:
  Generator(std::uint64_t seed, Taste taste) : random_(seed), portable_(taste == Taste::portable) {
    kernel_.name = "random" + std::to_string(seed);
  }

  Work run() {
    kernel_.group = kGroups[below(kGroups.size())];
    if (portable_ && kernel_.group[0] == 300) kernel_.group[0] = 200;  // 256 is all that small devices have
    kernel_.blocks.emplace_back();
    long_ints_ = !portable_ || chance(40);
    meets_ = portable_ && chance(40);
    choose_extent();
    portable_ ? declare_portable() : declare_wild();
    budget_ = portable_ ? 8 + below(50) : 20 + below(100);
    place_ = make_place();
    if (portable_) initialise();
    body(0, 0);
    return {.kernel = std::move(kernel_),
            .extent = extent_,
            .buffers = std::move(buffers_),
            .constants = std::move(constants_)};
  }

 private:
  // ---- Chance

  std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <std::size_t kCount>
  Op one_of(const std::array<Op, kCount>& ops) {
    return ops[below(kCount)];
  }

  Scalar scalar() {
    static constexpr std::array<Scalar, 20> kScalars{
        Scalar::boolean, Scalar::i8,  Scalar::u8,  Scalar::i16, Scalar::u16, Scalar::i32, Scalar::u32,
        Scalar::i64,     Scalar::u64, Scalar::f16, Scalar::f32, Scalar::f64, Scalar::u32, Scalar::u32,
        Scalar::u32,     Scalar::i32, Scalar::f32, Scalar::f32, Scalar::u32, Scalar::i32};
    for (;;) {
      const Scalar found = kScalars[below(kScalars.size())];
      if (portable_ && (found == Scalar::f16 || found == Scalar::f64)) continue;
      if (!long_ints_ && ir::bits(found) == 64) continue;
      return found;
    }
  }
  Type type() { return {scalar(), static_cast<std::uint8_t>(chance(75) ? 1 : 2 + below(3))}; }
  // A type whose scalar is good.
  template <class Good>
  Type type_where(const Good& good) {
    for (;;) {
      const Type found = type();
      if (good(found.scalar)) return found;
    }
  }
  Type number() { return type_where(ir::is_number); }
  // What may be read from memory that holds anything.
  Type raw() {
    return type_where([&](Scalar s) { return ir::is_number(s) && !(portable_ && ir::is_float(s)); });
  }

  std::uint64_t tricky(Scalar s) {
    const std::uint32_t size = ir::bits(s);
    const std::uint64_t all = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    if (s == Scalar::f32 && portable_) return whole_float();
    if (s == Scalar::f32 && chance(60)) {
      return std::bit_cast<std::uint32_t>((static_cast<float>(below(2001)) - 1000) / 8);
    }
    switch (below(6)) {
      case 0: return 0;
      case 1: return 1;
      case 2: return all;
      case 3: return all >> 1;
      case 4: return random_() & all;
      default: return below(64) & all;
    }
  }
  std::uint32_t whole_float() { return std::bit_cast<std::uint32_t>(static_cast<float>(below(2001)) - 1000); }

  // ---- The launch

  void choose_extent() {
    items_ = 1;
    ragged_ = false;
    const bool whole = meets_ && chance(60);
    for (std::size_t d = 0; d < 3; ++d) {
      const std::uint32_t size = kernel_.group[d];
      const std::uint32_t most = items_ > 500 ? 1 : 2;
      extent_[d] = whole ? std::uint64_t{size} * (1 + below(most)) : 1 + below(size * most);
      ragged_ = ragged_ || extent_[d] % size != 0;
      items_ *= (extent_[d] + size - 1) / size * size;
    }
    // Items that do not exist leave no value in workgroup memory, and with one dimension it is known which.
    const bool one_dimension = kernel_.group[1] == 1 && kernel_.group[2] == 1;
    if (ragged_ && !one_dimension) meets_ = false;
  }

  void add_buffer(ir::Memory memory, Bytes contents) {
    kernel_.memories.push_back(std::move(memory));
    kernel_.buffer_argument.push_back(true);
    buffers_.push_back(std::move(contents));
  }
  Bytes tricky_bytes(std::size_t size) {
    Bytes made((size + 3) / 4 * 4);
    for (std::size_t at = 0; at < made.size(); at += 4) {
      const auto word = static_cast<std::uint32_t>(tricky(Scalar::u32));
      std::memcpy(made.data() + at, &word, sizeof word);
    }
    made.resize(size);
    return made;
  }

  void declare_wild() {
    const Type none{};
    add_buffer({.name = "in", .element = none, .stride = 32, .access = backend::Access::read},
               tricky_bytes(32 * kInCount));
    add_buffer({.name = "numbers", .element = ir::kU32, .stride = 4}, tricky_bytes(4 * kNumberCount));
    add_buffer({.name = "out", .element = none, .stride = 32}, Bytes(items_ * kSlots * 32));
    own_ = declare(Space::item, "own", none, 32, 1 + below(5));
  }

  void declare_portable() {
    const Type none{};
    add_buffer({.name = "in", .element = none, .stride = 32, .access = backend::Access::read},
               tricky_bytes(32 * kInCount));
    Bytes numbers(4 * kNumberCount);
    for (std::size_t at = 0; at < numbers.size(); at += 4) {
      const std::uint32_t bits = whole_float();
      std::memcpy(numbers.data() + at, &bits, sizeof bits);
    }
    add_buffer({.name = "numbers", .element = ir::kF32, .stride = 4, .access = backend::Access::read},
               std::move(numbers));
    add_buffer({.name = "out", .element = none, .stride = 32}, Bytes(items_ * kSlots * 32));
    add_buffer({.name = "bytes", .element = {Scalar::u8}, .stride = 1, .access = backend::Access::read},
               tricky_bytes(kByteCount));
    add_buffer({.name = "shorts", .element = {Scalar::i16}, .stride = 2}, tricky_bytes(items_ * 2));
    add_buffer({.name = "pairs", .element = none, .stride = 8}, tricky_bytes(items_ * 8));
    add_buffer({.name = "sums", .element = ir::kU32, .stride = 4}, tricky_bytes(kCellCount * 4));
    add_buffer({.name = "marks", .element = ir::kI32, .stride = 4}, tricky_bytes(kCellCount * 4));
    static constexpr std::array<Op, 7> kAtomics{Op::atomic_add, Op::atomic_sub, Op::atomic_min,
                                                Op::atomic_max, Op::atomic_and, Op::atomic_or,
                                                Op::atomic_xor};
    for (Op& chosen : atomics_) chosen = one_of(kAtomics);
    add_parameter("a", ir::kU32, 4, tricky(Scalar::u32));
    add_parameter("b", ir::kI32, 4, tricky(Scalar::i32));
    add_parameter("c", ir::kF32, 4, whole_float());
    add_parameter("d", none, kStructBytes, random_());

    if (meets_) {
      static constexpr std::array<Scalar, 6> kTiles{Scalar::u32, Scalar::i16, Scalar::u8,
                                                    Scalar::f32, Scalar::i32, Scalar::u64};
      const Scalar tile = kTiles[below(long_ints_ ? 6 : 5)];
      const std::uint32_t size = kernel_.group[0] * kernel_.group[1] * kernel_.group[2];
      tile_ = declare(Space::workgroup, "tile", {tile}, ir::bits(tile) / 8, size);
      counts_ = declare(Space::workgroup, "counts", ir::kU32, 4, std::min(size, 8u));
    }
    own_ = declare(Space::item, "own", none, 32, 1 + below(4));
    floats_ = declare(Space::item, "floats", ir::kF32, 4, 1 + below(4));
  }

  std::uint32_t declare(Space space, const char* name, Type element, std::uint32_t stride,
                        std::uint64_t count) {
    kernel_.memories.push_back(
        {.space = space, .name = name, .element = element, .stride = stride, .count = count});
    return static_cast<std::uint32_t>(kernel_.memories.size() - 1);
  }
  // Its name is the kernel's own: several kernels may stand in one program.
  void add_parameter(const char* name, Type t, std::uint32_t size, std::uint64_t bits) {
    kernel_.parameters.push_back(
        {.name = name + std::string("_") + kernel_.name, .type = t, .size = size, .alignment = 4});
    kernel_.buffer_argument.push_back(false);
    for (std::uint32_t i = 0; i < size; ++i) {
      constants_.push_back(static_cast<std::byte>(bits >> (i % 8 * 8) & 0xff));
    }
  }

  // ---- Nodes

  Id add(Node node) {
    const auto id = static_cast<Id>(kernel_.nodes.size());
    kernel_.nodes.push_back(node);
    kernel_.blocks[block_].nodes.push_back(id);
    if (node.type != ir::kNothing) visible_.push_back(id);
    return id;
  }

  Id op(Op o, Type t, std::initializer_list<Id> arguments, std::uint64_t immediate = 0) {
    Node node{.op = o, .type = t, .count = static_cast<std::uint8_t>(arguments.size())};
    std::copy(arguments.begin(), arguments.end(), node.arguments.begin());
    node.immediate = immediate;
    return add(node);
  }

  Id constant(Scalar s, std::uint64_t bits) { return op(Op::constant, {s, 1}, {}, bits); }
  Id u32(std::uint32_t value) { return constant(Scalar::u32, value); }
  // The same in every component.
  Id filled(Type t, std::uint64_t bits) {
    const Id one = constant(t.scalar, bits);
    if (t.width == 1) return one;
    return add({.op = Op::compose, .type = t, .count = t.width, .arguments = {one, one, one, one}});
  }

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
    if (t == ir::kU32 && chance(60)) {
      static constexpr std::array<Op, 4> kIds{Op::global_id, Op::local_id, Op::group_id, Op::element_count};
      const Op id = one_of(kIds);
      return op(id, ir::kU32, {}, below(3));
    }
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
    if (!portable_) {
      const std::uint32_t memory = chance(70) ? 0 : own_;
      const Id index = small(chance(20) ? 100 : memory == own_ ? 4 : 60);
      return load_at(t, memory, index, 32);
    }
    if (t.scalar == Scalar::f32) return load_float(t);
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
    const Type t{Scalar::f32, static_cast<std::uint8_t>(1 + below(2))};
    const float part = chance(50) ? 0.5f : -0.125f;
    const Id value = pick(t);
    const std::size_t seen = visible_.size();
    const Id divided = op(Op::mul, t, {value, filled(t, std::bit_cast<std::uint32_t>(part))});
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
      const Id most = filled(t, std::bit_cast<std::uint32_t>(kMostFloat));
      const Id inside = op(Op::lt, ir::mask_of(t), {size, most});
      op(Op::select, t, {inside, id, filled(t, whole_float())});
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

  // ---- Items that meet

  Id local_place() {
    Id made = kNone;
    for (int d = 2; d >= 0; --d) {
      const Id id = op(Op::local_id, ir::kU32, {}, static_cast<std::uint64_t>(d));
      const Id size = op(Op::group_size, ir::kU32, {}, static_cast<std::uint64_t>(d));
      made = made == kNone ? id : op(Op::add, ir::kU32, {op(Op::mul, ir::kU32, {made, size}), id});
    }
    return made;
  }
  void barrier() { op(Op::barrier, ir::kNothing, {}); }

  // Items of this group that exist; a ragged kernel has one dimension.
  Id existing() {
    const Id size = op(Op::group_size, ir::kU32, {}, 0);
    if (!ragged_) return u32(count(tile_));
    const Id all = op(Op::element_count, ir::kU32, {}, 0);
    const Id first = op(Op::mul, ir::kU32, {op(Op::group_id, ir::kU32, {}, 0), size});
    return op(Op::min, ir::kU32, {size, op(Op::sub, ir::kU32, {all, first})});
  }

  // Everyone leaves a value and takes others'.
  void exchange() {
    const Type t = kernel_.memories[tile_].element;
    const Id mine = local_place();
    store_to(tile_, mine, pick(t));
    barrier();
    const Id size = existing();
    for (std::uint32_t left = 1 + below(3); left != 0; --left) {
      op(Op::load, t, {op(Op::rem, ir::kU32, {pick(ir::kU32), size})}, tile_);
    }
    barrier();
  }

  // Everyone counts together.
  void tally() {
    const Id mine = op(Op::rem, ir::kU32, {local_place(), u32(count(counts_))});
    const Id first = op(Op::lt, ir::kBool, {local_place(), u32(count(counts_))});
    const Id value = u32(below(100));
    const Id begin = op(Op::if_, ir::kNothing, {first});
    const std::uint32_t made = inner(9, [&] {
      store_to(counts_, mine, value);
      return true;
    });
    kernel_.nodes[begin].immediate = ir::pack(made, kNone);
    barrier();
    op(atomics_[0], ir::kU32, {small(count(counts_)), pick(ir::kU32)}, counts_);
    visible_.pop_back();
    barrier();
    op(Op::load, ir::kU32, {small(count(counts_))}, counts_);
    barrier();
  }

  // The same for the whole group, and known to be.
  Id common() {
    switch (below(5)) {
      case 0: return op(Op::group_id, ir::kU32, {}, below(3));
      case 1: return op(Op::group_count, ir::kU32, {}, below(3));
      case 2: return op(Op::parameter, ir::kU32, {}, 0);
      case 3: return op(Op::uniform, ir::kU32, {pick(ir::kU32)});
      default: return u32(below(4));
    }
  }

  // ---- Control flow

  Id variable() {
    std::vector<Id> known;
    for (const Id id : visible_) {
      if (kernel_.nodes[id].op == Op::variable) known.push_back(id);
    }
    if (!known.empty() && chance(80)) return known[below(known.size())];
    return op(Op::variable, type(), {});
  }

  // The nodes of a block that nothing outside sees. `before` adds what comes first and says whether that is
  // all.
  template <class Before>
  std::uint32_t inner(int depth, const Before& before) {
    const std::uint32_t outer = block_;
    const std::size_t seen = visible_.size();
    block_ = static_cast<std::uint32_t>(kernel_.blocks.size());
    const std::uint32_t made = block_;
    kernel_.blocks.emplace_back();
    if (!before()) body(made, depth);
    visible_.resize(seen);
    block_ = outer;
    return made;
  }

  // Runs body() where all items come together only if `together` and they did outside.
  template <class Body>
  void in_flow(bool together, const Body& body) {
    const bool outside = together_;
    together_ = together_ && together;
    body();
    together_ = outside;
  }

  // A jump that some items make takes the others' company away: where items meet it stays in a loop of its
  // own.
  bool may_leave_loop() const { return !loops_.empty() && (!meets_ || together_ || !loops_.back()); }
  bool jump() {
    if (!chance(25) || no_jumps_) return false;
    if (may_leave_loop() && chance(80)) {
      op(chance(50) ? Op::break_ : Op::continue_, ir::kNothing, {});
      return true;
    }
    if (meets_ && !together_) return false;
    op(Op::return_, ir::kNothing, {});
    return true;
  }

  void branch(int depth) {
    const bool together = meets_ && together_ && chance(60);
    Id condition = kNone;
    if (together) {
      const Id a = common();
      condition = op(Op::lt, ir::kBool, {a, common()});
    } else {
      condition = pick(ir::kBool);
    }
    const Id id = op(Op::if_, ir::kNothing, {condition});
    in_flow(together, [&] {
      const std::uint32_t first = inner(depth + 1, [&] { return jump(); });
      std::uint32_t second = kNone;
      if (chance(50)) second = inner(depth + 1, [&] { return jump(); });
      kernel_.nodes[id].immediate = ir::pack(first, second);
    });
  }

  void range(int depth) {
    static constexpr std::array<Scalar, 4> kTypes{Scalar::i32, Scalar::u32, Scalar::i64, Scalar::u64};
    const Scalar s = kTypes[below(long_ints_ ? 4 : 2)];
    const std::uint64_t all = ir::bits(s) == 64 ? ~std::uint64_t{0} : 0xffffffffu;
    Id begin = constant(s, chance(80) ? below(3) : (all - below(5)) & (ir::is_signed(s) ? all : all >> 1));
    Id end = constant(s, below(7));
    if (chance(15)) {  // near the largest, where a careless counter would wrap
      const std::uint64_t most = ir::is_signed(s) ? all >> 1 : all;
      begin = constant(s, most - below(9));
      end = constant(s, most);
    }
    const bool together = meets_ && together_ && chance(70);
    if (!together && chance(50)) {
      const Id mask = constant(s, 7);
      end = op(Op::bit_and, {s, 1}, {pick({s, 1}), mask});
    }
    const Id step = constant(s, 1 + below(3));
    const Id id = op(Op::range, {s, 1}, {begin, end, step});
    visible_.pop_back();
    in_flow(together, [&] {
      loops_.push_back(together_);
      const std::uint32_t made = inner(depth + 1, [&] {
        visible_.push_back(id);
        return false;
      });
      loops_.pop_back();
      kernel_.nodes[id].immediate = ir::pack(made, kNone);
    });
  }

  void loop(int depth) {
    const Id counter = op(Op::variable, ir::kU32, {});
    visible_.pop_back();  // nobody else may set it
    const Id limit = op(Op::bit_and, ir::kU32, {pick(ir::kU32), u32(7)});
    const Id id = op(Op::loop, ir::kNothing, {});
    const bool continuing = chance(60);
    const auto count_up = [&] {
      const Id now = op(Op::get, ir::kU32, {counter});
      op(Op::set, ir::kNothing, {counter, op(Op::add, ir::kU32, {now, u32(1)})});
    };
    in_flow(false, [&] {
      loops_.push_back(false);
      const std::uint32_t made = inner(depth + 1, [&] {
        const Id now = op(Op::get, ir::kU32, {counter});
        const Id over = op(Op::ge, ir::kBool, {now, limit});
        const Id exit = op(Op::if_, ir::kNothing, {over});
        const std::uint32_t out = inner(depth + 2, [&] {
          op(Op::break_, ir::kNothing, {});
          return true;
        });
        kernel_.nodes[exit].immediate = ir::pack(out, kNone);
        if (!continuing) count_up();
        return false;
      });
      loops_.pop_back();
      std::uint32_t after = kNone;
      if (continuing) {
        const bool before = no_jumps_;
        no_jumps_ = true;
        after = inner(depth + 2, [&] {
          count_up();
          return chance(50);
        });
        no_jumps_ = before;
      }
      kernel_.nodes[id].immediate = ir::pack(made, after);
    });
  }

  void statement(int depth) {
    if (portable_ && chance(5)) return atomic();
    if (meets_ && together_ && chance(12)) return !ragged_ && chance(40) ? tally() : exchange();
    const std::uint32_t what = below(100);
    if (what < 45) {
      pure();
    } else if (what < 58) {
      linear();
    } else if (what < 66) {
      load(number());
    } else if (what < 74) {
      store();
    } else if (what < 80) {
      const Id v = variable();
      op(Op::set, ir::kNothing, {v, pick(kernel_.nodes[v].type)});
    } else if (what < 88) {
      const Id v = variable();
      op(Op::get, kernel_.nodes[v].type, {v});
    } else if (depth < 4) {
      if (what < 94) {
        branch(depth);
      } else if (loops_.size() < 2) {
        what < 97 ? range(depth) : loop(depth);
      }
    }
  }

  void body(std::uint32_t index, int depth) {
    block_ = index;
    for (std::uint32_t left = 2 + below(depth == 0 ? 60 : 12); left != 0 && budget_ != 0; --left) {
      --budget_;
      statement(depth);
    }
    store();
  }

  std::mt19937_64 random_;
  bool portable_;
  ir::Kernel kernel_;
  std::array<std::uint64_t, 3> extent_{};
  std::uint64_t items_ = 1;  // of all groups, existing or not
  std::vector<Bytes> buffers_;
  Bytes constants_;
  std::uint32_t own_ = 0, floats_ = 0, tile_ = 0, counts_ = 0;  // memories
  std::array<Op, 2> atomics_{Op::atomic_add, Op::atomic_add};   // of sums and counts, of marks
  bool long_ints_ = true;
  bool meets_ = false;
  bool ragged_ = false;

  std::vector<Id> visible_;
  Id place_ = kNone;
  std::uint32_t block_ = 0;
  std::uint32_t budget_ = 0;
  std::vector<bool> loops_;  // those around; true where all items run it together
  bool together_ = true;     // all items of a group come here
  bool no_jumps_ = false;
  bool initialised_ = false;  // private arrays hold something
};

}  // namespace

Work generate(std::uint64_t seed, Taste taste) { return Generator(seed, taste).run(); }

}  // namespace collet::fuzz
