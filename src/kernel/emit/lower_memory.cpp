// Memory becomes arrays of one scalar each: an access of another size is put together from several elements,
// or cut out of one.

#include <algorithm>

#include "kernel/emit/lower.hpp"
#include "kernel/ir/table.hpp"

namespace collet::emit {
namespace {

std::uint32_t size_of(Scalar scalar) { return ir::bits(scalar) / 8; }

Scalar unsigned_of_size(std::uint32_t size) {
  switch (size) {
    case 1: return Scalar::u8;
    case 2: return Scalar::u16;
    case 4: return Scalar::u32;
    default: return Scalar::u64;
  }
}

// Small integers are not computed in any more.
Scalar at_least_a_word(Scalar scalar) {
  return ir::bits(scalar) < 32 ? Scalar::u32 : ir::unsigned_of(scalar);
}

// What the accesses of one memory have in common.
struct Uses {
  std::uint32_t least = 0;       // bytes of the smallest access; 0 where there is none
  Scalar scalar = Scalar::none;  // of all accesses; none where they differ
  bool mixed = false;
  std::uint32_t most = 0;     // bytes of the largest access
  bool small_stores = false;  // of less than a word
  std::uint32_t atomic = 0;   // bytes of the atomic accesses
  bool both_atomics = false;  // 32 and 64 bits
};

// Whether a table can be written as numbers: languages have none for infinity and what is not a number.
bool is_finite(const Memory& memory) {
  if (memory.space != Space::table || !ir::is_float(memory.element.scalar)) return true;
  const bool wide = memory.element.scalar == Scalar::f64;
  const std::uint64_t infinity = wide ? 0x7ff0000000000000 : 0x7f800000;
  for (std::uint64_t i = 0; i < memory.count; ++i) {
    if ((ir::table_element(memory, i) & infinity) == infinity) return false;
  }
  return true;
}

// Threads: one at a time.
class Arrays : public Rewriter {
 public:
  Arrays(const Kernel& from, const Language& language)
      : Rewriter(from), language_(language), uses_(from.memories.size()) {}

  Result<void> plan() {
    for (const Node& node : from_.nodes) {
      if (ir::is_access(node.op)) note(node);
    }
    for (std::size_t i = 0; i < uses_.size(); ++i) COLLET_CHECK(choose(i));
    return {};
  }

 private:
  Scalar accessed(const Node& node) const {
    return ir::rule(node.op) == Rule::store ? from_.nodes[node.arguments[1]].type.scalar : node.type.scalar;
  }

  void note(const Node& node) {
    Uses& uses = uses_[node.low()];
    const Scalar scalar = accessed(node);
    const std::uint32_t size = size_of(scalar);
    uses.mixed = uses.mixed || (uses.least != 0 && uses.scalar != scalar);
    uses.scalar = scalar;
    uses.least = uses.least == 0 ? size : std::min(uses.least, size);
    uses.most = std::max(uses.most, size);
    uses.small_stores = uses.small_stores || (node.op == Op::store && size < 4);
    if (!ir::is_atomic(node.op)) return;
    uses.both_atomics = uses.both_atomics || (uses.atomic != 0 && uses.atomic != size);
    uses.atomic = size;
  }

  // Of an element, in bytes.
  std::uint32_t unit(const Memory& memory, const Uses& uses) const {
    if (uses.atomic != 0) return uses.atomic;
    if (uses.least >= 4) return uses.least;
    // To cut a part out of a word is cheaper than to put words together.
    if (uses.most >= 4 && !uses.small_stores) return 4;
    if (uses.least == 0) return memory.stride % 4 == 0 ? 4 : unit_of_small(memory, 1);
    return unit_of_small(memory, uses.least);
  }
  std::uint32_t unit_of_small(const Memory& memory, std::uint32_t size) const {
    const auto has = [&] {
      switch (memory.space) {
        case Space::buffer: return size == 1 ? language_.bytes_in_buffers : language_.shorts_in_buffers;
        case Space::workgroup: return language_.small_in_groups;
        default: return language_.small_in_items;
      }
    };
    return has() ? size : 4;
  }

  Result<void> choose(std::size_t index) {
    Memory& memory = to_.memories[index];
    const Uses& uses = uses_[index];
    if (uses.both_atomics || (uses.atomic == 8 && uses.least < 8)) {
      return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                   "[Kernel \"" + from_.name + "\"] needs 64-bit atomics in " + memory.name +
                       ", which it also reaches in smaller pieces; no target has that.");
    }
    const std::uint32_t size = unit(memory, uses);
    const bool as_bits = uses.mixed || size < 4 || size_of(uses.scalar) != size || !is_finite(memory);
    memory.element = {as_bits ? unsigned_of_size(size) : uses.scalar};
    memory.count = (memory.count * memory.stride + size - 1) / size;
    memory.stride = size;
    return {};
  }

  Id rewrite(const Node& node) override {
    if (node.op == Op::length) return length(node);
    if (!ir::is_access(node.op)) return append(node);
    const Memory& memory = to_.memories[node.low()];
    const Scalar unit = memory.element.scalar;
    const bool store = ir::rule(node.op) == Rule::store;
    const Scalar scalar = store ? type(node.arguments[1]).scalar : node.type.scalar;
    if (size_of(scalar) < size_of(unit)) return store ? (store_part(node), kNone) : load_part(node, scalar);
    if (ir::is_atomic(node.op)) return atomic(node);
    return store ? (store_whole(node, unit), kNone) : load_whole(node, unit, scalar);
  }

  // In elements as the kernel has them.
  Id length(const Node& node) {
    const std::uint32_t pieces = from_.memories[node.low()].stride / to_.memories[node.low()].stride;
    const Id made = append(node);
    return pieces == 1 ? made : with(Op::div, made, pieces);
  }

  // The first element of an access.
  Id first(const Node& node) {
    const std::uint32_t old = from_.memories[node.low()].stride;
    const std::uint32_t now = to_.memories[node.low()].stride;
    Id index = node.arguments[0];
    if (old != now) index = with(Op::mul, index, old / now);
    return plus(index, node.high() / now);
  }
  Id plus(Id index, std::uint32_t elements) { return elements == 0 ? index : with(Op::add, index, elements); }

  Id load(const Node& node, Id index) {
    return make(Op::load, to_.memories[node.low()].element, {index}, node.low());
  }
  void store(const Node& node, Id index, Id value) {
    make(Op::store, ir::kNothing, {index, value}, node.low());
  }

  // Its type may differ from the element's in sign: minimum and maximum go by the node's.
  Id atomic(Node node) {
    node.arguments[0] = first(node);
    node.immediate = node.low();
    return append(node);
  }

  Id load_whole(const Node& node, Scalar unit, Scalar scalar) {
    const Id index = first(node);
    const std::uint32_t pieces = size_of(scalar) / size_of(unit);
    if (pieces == 1) return bitcast(load(node, index), scalar);
    const Scalar whole = at_least_a_word(scalar);
    Id value = kNone;
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const Id piece = convert(load(node, plus(index, i)), whole);
      const Id placed = i == 0 ? piece : with(Op::shl, piece, i * ir::bits(unit));
      value = i == 0 ? placed : binary(Op::bit_or, value, placed);
    }
    return bitcast(convert(value, ir::unsigned_of(scalar)), scalar);
  }

  void store_whole(const Node& node, Scalar unit) {
    const Id index = first(node);
    const Id value = node.arguments[1];
    const Scalar scalar = type(value).scalar;
    const std::uint32_t pieces = size_of(scalar) / size_of(unit);
    if (pieces == 1) return store(node, index, bitcast(value, unit));
    const Id whole = convert(bitcast(value, ir::unsigned_of(scalar)), at_least_a_word(scalar));
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const Id piece = i == 0 ? whole : with(Op::shr, whole, i * ir::bits(unit));
      store(node, plus(index, i), convert(piece, unit));
    }
  }

  // The word of a part, and by how many bits it stands to the left there.
  struct Place {
    Id word, shift;
  };
  Place place(const Node& node) {
    const std::uint32_t stride = from_.memories[node.low()].stride;
    if (stride % 4 == 0) return {first(node), constant(ir::kU32, node.high() % 4 * 8)};
    Id byte = stride == 1 ? node.arguments[0] : with(Op::mul, node.arguments[0], stride);
    if (node.high() != 0) byte = with(Op::add, byte, node.high());
    return {with(Op::shr, byte, 2), with(Op::shl, with(Op::bit_and, byte, 3), 3)};
  }

  // Parts are of 8 or 16 bits, in words of 32.
  Id load_part(const Node& node, Scalar scalar) {
    const Place found = place(node);
    const Id word = bitcast(load(node, found.word), Scalar::u32);
    return bitcast(convert(binary(Op::shr, word, found.shift), ir::unsigned_of(scalar)), scalar);
  }

  // In memory that items share, others may write the word at the same time: the part goes in at once, and no
  // other part changes, so that readers see nothing in between and of two writers one wins.
  void store_part(const Node& node) {
    const Place found = place(node);
    Memory& memory = to_.memories[node.low()];
    const Id value = node.arguments[1];
    const Scalar small = ir::unsigned_of(type(value).scalar);
    const Id part = binary(Op::shl, convert(bitcast(value, small), Scalar::u32), found.shift);
    const Id ones = constant(ir::kU32, (1u << ir::bits(small)) - 1);
    const Id keep = unary(Op::bit_not, binary(Op::shl, ones, found.shift));
    if (memory.space == Space::item) {
      const Id kept = binary(Op::bit_and, bitcast(load(node, found.word), Scalar::u32), keep);
      store(node, found.word, bitcast(binary(Op::bit_or, kept, part), memory.element.scalar));
      return;
    }
    if (memory.access == backend::Access::write) memory.access = backend::Access::read_write;
    exchange(ir::kU32, found.word, node.low(),
             [&](Id before) { return binary(Op::bit_or, binary(Op::bit_and, before, keep), part); });
  }

  const Language& language_;
  std::vector<Uses> uses_;
};

}  // namespace

Result<Kernel> lower_memory(const Kernel& kernel, const Language& language) {
  Arrays arrays(kernel, language);
  COLLET_CHECK(arrays.plan());
  return arrays.run();
}

}  // namespace collet::emit
