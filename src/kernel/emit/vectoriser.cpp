// Loops at which the vectoriser of a driver is known to crash: Intel's CPU runtime ends the process for
// kernels with barriers and a range of constant bounds in steps of more than 1, or that never runs; and for
// loops in which one 64-bit variable takes over the value of another.

#include <algorithm>

#include "kernel/emit/lower.hpp"
#include "kernel/ir/blocks.hpp"

namespace collet::emit {
namespace {

bool is_constant(const Kernel& kernel, Id id) { return kernel.nodes[id].op == Op::constant; }

bool is_stepped(const Kernel& kernel, const Node& range) {
  if (!std::ranges::all_of(std::span(range.arguments).first(3),
                           [&](Id id) { return is_constant(kernel, id); }))
    return false;
  const auto bits = [&](std::size_t i) { return kernel.nodes[range.arguments[i]].immediate; };
  const std::uint32_t unused = 64 - ir::bits(range.type.scalar);
  const auto as_signed = [&](std::size_t i) {
    return static_cast<std::int64_t>(bits(i) << unused) >> unused;
  };
  const bool runs = ir::is_signed(range.type.scalar) ? as_signed(0) < as_signed(1) : bits(0) < bits(1);
  return bits(2) != 1 || !runs;
}

bool takes_over(const Kernel& kernel, const Node& node) {
  if (node.op != Op::set) return false;
  const Node& value = kernel.nodes[node.arguments[1]];
  return value.op == Op::get && value.arguments[0] != node.arguments[0] && ir::bits(value.type.scalar) == 64;
}

bool takes_over_in_loop(const Kernel& kernel, std::uint32_t block, bool looping) {
  return std::ranges::any_of(kernel.blocks[block].nodes, [&](Id id) {
    const Node& node = kernel.nodes[id];
    if (looping && takes_over(kernel, node)) return true;
    bool found = false;
    ir::for_blocks(node, [&](std::uint32_t inner) {
      const bool loop = node.op == Op::loop || node.op == Op::range;
      found = found || takes_over_in_loop(kernel, inner, looping || loop);
    });
    return found;
  });
}

}  // namespace

bool upsets_vectoriser(const Kernel& kernel) {
  const auto any = [&](const auto& is) { return std::ranges::any_of(kernel.nodes, is); };
  const bool barrier = any([](const Node& node) { return node.op == Op::barrier; });
  const bool stepped =
      any([&](const Node& node) { return node.op == Op::range && is_stepped(kernel, node); });
  return (barrier && stepped) || takes_over_in_loop(kernel, 0, false);
}

}  // namespace collet::emit
