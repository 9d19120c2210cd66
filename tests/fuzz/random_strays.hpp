// Accesses with an index out of range: they do nothing, so that a kernel means the same with them.
#pragma once

#include "fuzz/random_meetings.hpp"

namespace collet::fuzz {

// Threads: one at a time.
class RandomStrays : public RandomMeetings {
 protected:
  using RandomMeetings::RandomMeetings;
  ~RandomStrays() = default;

  // How many elements a memory has in this launch.
  std::uint32_t length(std::uint32_t memory) const {
    const ir::Memory& of = kernel_.memories[memory];
    return of.space == Space::buffer ? static_cast<std::uint32_t>(buffers_[memory].size() / of.stride)
                                     : static_cast<std::uint32_t>(of.count);
  }
  Id length_of(std::uint32_t memory) {
    const bool buffer = kernel_.memories[memory].space == Space::buffer;
    return buffer ? op(Op::length, ir::kU32, {}, memory) : u32(count(memory));
  }

  // Never below the length of the memory.
  Id outside(std::uint32_t memory) {
    const std::uint32_t limit = length(memory);
    const auto at_least = [&](Id index) { return op(Op::max, ir::kU32, {index, u32(limit)}); };
    switch (below(8)) {
      case 0: return at_least(pick(ir::kU32));
      case 1: return u32(limit + below(4));
      case 2: return u32(0u - 1 - below(4));
      case 3: return u32(std::max((1u << below(32)) + below(3), limit));
      case 4: return op(Op::bit_or, ir::kU32, {pick(ir::kU32), u32(0x80000000u)});
      case 5: return op(Op::add, ir::kU32, {op(Op::rem, ir::kU32, {pick(ir::kU32), u32(1000)}), u32(limit)});
      case 6: {
        const Id end = length_of(memory);
        return op(Op::add, ir::kU32, {end, op(Op::rem, ir::kU32, {pick(ir::kU32), u32(5)})});
      }
      default: {
        const Id high = op(Op::shl, ir::kU32, {pick(ir::kU32), u32(20 + below(12))});
        return at_least(chance(50) ? high : op(Op::add, ir::kU32, {high, u32(below(8))}));
      }
    }
  }

  // For memory that nobody writes: anywhere, near the ends, or inside in a way that can be known.
  Id anywhere(std::uint32_t memory) {
    const std::uint32_t limit = length(memory);
    const Id any = pick(ir::kU32);
    switch (below(7)) {
      case 0: return any;
      case 1: return op(Op::rem, ir::kU32, {any, u32(2 * limit)});
      case 2: {
        const Id near = op(Op::rem, ir::kU32, {any, u32(9)});
        const Id end = chance(50) ? u32(0) : length_of(memory);
        return op(Op::sub, ir::kU32, {op(Op::add, ir::kU32, {end, near}), u32(4)});
      }
      case 3: return op(Op::rem, ir::kU32, {any, length_of(memory)});
      case 4: return op(Op::min, ir::kU32, {any, op(Op::sub, ir::kU32, {length_of(memory), u32(1)})});
      case 5: return op(Op::bit_and, ir::kU32, {any, u32(below(2 * limit))});
      default: return outside(memory);
    }
  }

  // A type that an element of the memory has room for, and that may be read from it.
  Type held(std::uint32_t memory) {
    const ir::Memory& of = kernel_.memories[memory];
    if (of.element.scalar != Scalar::none && of.element.scalar != Scalar::u8) return of.element;
    for (;;) {
      const Type found = raw();
      if (ir::bytes(found) <= of.stride && of.stride % (ir::bits(found.scalar) / 8) == 0) return found;
    }
  }

  void load_guarded(std::uint32_t memory) {
    const Type t = held(memory);
    const Id index = pick(ir::kU32);
    const Id condition = chance(50) ? op(Op::lt, ir::kBool, {index, length_of(memory)})
                                    : op(Op::gt, ir::kBool, {u32(2 * length(memory)), index});
    const Id found = op(Op::variable, t, {});
    only_if(condition, [&] {
      op(Op::set, ir::kNothing, {found, load_at(t, memory, index, kernel_.memories[memory].stride)});
    });
    op(Op::get, t, {found});
  }

  void atomic_outside(std::uint32_t memory) {
    const auto first = static_cast<int>(Op::atomic_load);
    const auto kinds = static_cast<int>(Op::atomic_compare_exchange) - first + 1;
    const auto o = static_cast<Op>(first + static_cast<int>(below(static_cast<std::uint64_t>(kinds))));
    const Type t = kernel_.memories[memory].element;
    Node node{.op = o, .type = o == Op::atomic_store ? ir::kNothing : t, .count = ir::arity(o)};
    node.arguments[0] = outside(memory);
    for (std::uint8_t i = 1; i < node.count; ++i) node.arguments[i] = pick(t);
    node.immediate = memory;
    add(node);
  }

  // An access that does nothing, of memory that others may use at the same time.
  void stray() {
    std::uint32_t memory = below(kBuffers + 2);
    if (memory >= kBuffers) memory = memory == kBuffers ? own_ : floats_;
    if (meets_ && chance(30)) memory = chance(60) ? tile_ : counts_;
    const ir::Memory of = kernel_.memories[memory];
    if (of.access == backend::Access::read)
      return chance(30) ? load_guarded(memory)
                        : (void)load_at(held(memory), memory, anywhere(memory), of.stride);
    const bool counts = of.space != Space::item && (of.element == ir::kU32 || of.element == ir::kI32);
    if (counts && chance(50)) return atomic_outside(memory);
    const Type t = held(memory);
    if (chance(40)) return (void)load_at(t, memory, outside(memory), of.stride);
    const Id index = outside(memory);
    store_to(memory, index, pick(t), offset(t, of.stride));
  }
};

}  // namespace collet::fuzz
