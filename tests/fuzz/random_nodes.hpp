// A kernel that grows: chance, constants, nodes and blocks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <random>
#include <string>

#include "collet/half.hpp"
#include "fuzz/generator.hpp"

namespace collet::fuzz {

using ir::Id;
using ir::kNone;
using ir::Node;
using ir::Op;
using ir::Scalar;
using ir::Space;
using ir::Type;

inline constexpr std::uint32_t kSlots = 8;  // of 32 bytes in `out`, for each item
inline constexpr std::uint32_t kInCount = 70;
inline constexpr std::uint32_t kNumberCount = 200;
inline constexpr std::uint32_t kByteCount = 101;
inline constexpr std::uint32_t kCellCount = 16;    // of sums and marks
inline constexpr std::uint32_t kMostItems = 4096;  // of a wide launch
inline constexpr std::uint32_t kMostGroups = 64;
inline constexpr std::uint32_t kStructBytes = 16;

inline constexpr std::array<std::array<std::uint32_t, 3>, 8> kGroups{
    {{64, 1, 1}, {8, 8, 1}, {5, 3, 2}, {1, 16, 1}, {300, 1, 1}, {17, 1, 1}, {1, 1, 1}, {2, 3, 31}}};

inline constexpr std::array<Op, 7> kAtomics{Op::atomic_add, Op::atomic_sub, Op::atomic_min, Op::atomic_max,
                                            Op::atomic_and, Op::atomic_or,  Op::atomic_xor};

inline std::uint64_t float_bits(Scalar s, double value) {
  if (s == Scalar::f16) return half(value).bits();
  if (s == Scalar::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

// Whole numbers below it are exact, and so are products of two of them and sums of such products.
inline std::uint64_t most_float(Scalar s) { return float_bits(s, s == Scalar::f16 ? 32 : 4096); }

// Threads: one at a time.
class RandomNodes {
 public:
  RandomNodes(const RandomNodes&) = delete;
  RandomNodes& operator=(const RandomNodes&) = delete;

 protected:
  RandomNodes(std::uint64_t seed, Taste taste)
      : random_(seed),
        portable_(taste != Taste::wild),
        wide_(taste == Taste::wide || taste == Taste::talking) {
    kernel_.name = "random" + std::to_string(seed);
  }
  ~RandomNodes() = default;

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
      if (portable_ && found == Scalar::f16 && !halves_) continue;
      if (portable_ && found == Scalar::f64 && !doubles_) continue;
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
    if (ir::is_float(s) && portable_) return whole_float(s);
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
  std::uint64_t whole_float(Scalar s) {
    if (s == Scalar::f16) return float_bits(s, static_cast<double>(below(63)) - 31);
    return float_bits(s, static_cast<double>(below(2001)) - 1000);
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

  // ---- Blocks

  // The block of what body(block) adds, of which nothing outside sees anything.
  template <class Body>
  std::uint32_t in_block(const Body& body) {
    const std::uint32_t outer = block_;
    const std::size_t seen = visible_.size();
    const auto made = static_cast<std::uint32_t>(kernel_.blocks.size());
    block_ = made;
    kernel_.blocks.emplace_back();
    body(made);
    visible_.resize(seen);
    block_ = outer;
    return made;
  }

  // A branch with one side, of just that.
  template <class Body>
  void only_if(Id condition, const Body& body) {
    const Id begin = op(Op::if_, ir::kNothing, {condition});
    const std::uint32_t made = in_block([&](std::uint32_t) { body(); });
    kernel_.nodes[begin].immediate = ir::pack(made, kNone);
  }

  // What body() makes and gives; nobody else sees it.
  template <class Body>
  Id hidden(const Body& body) {
    const std::size_t seen = visible_.size();
    const Id made = body();
    visible_.resize(seen);
    return made;
  }

  std::mt19937_64 random_;
  bool portable_;
  bool wide_;
  ir::Kernel kernel_;
  bool long_ints_ = true;
  bool halves_ = false, doubles_ = false, long_atomics_ = false, subgroups_ = false;  // wide kernels only
  bool in_function_ = false;  // where nothing but values is there
  std::vector<Id> visible_;   // values that may be used here
  std::uint32_t block_ = 0;
};

}  // namespace collet::fuzz
