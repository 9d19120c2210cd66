// Rows and columns, and the limits of what is compiled.

#include "backends/cpu/native/layout.hpp"

#include <algorithm>
#include <bit>

#include "backends/cpu/places.hpp"

namespace collet::backend::cpu::native {
namespace {

using ir::Node;
using ir::Op;

constexpr std::uint32_t kMostParts = 32;    // of a group that meets
constexpr std::uint32_t kLoopParts = 4;     // side by side in loops, where one alone waits for itself
constexpr std::size_t kMostNodes = 40'000;  // times parts: compiling takes longer than it saves
constexpr std::size_t kFewNodes = 400;      // whose parts may stand side by side
constexpr std::uint64_t kMostArrayBytes = 64u << 10;  // of private arrays, which are on the stack

bool has_loops(const ir::Kernel& kernel) {
  return std::ranges::any_of(kernel.nodes,
                             [](const Node& node) { return node.op == Op::range || node.op == Op::loop; });
}

// The largest number of parts up to `most` that divides rows or the group evenly.
std::uint32_t fitting(const Layout& layout, std::uint32_t most) {
  for (std::uint32_t parts = std::min(most, layout.columns * layout.rows); parts > 1; --parts) {
    if (parts <= layout.columns ? layout.columns % parts == 0
                                : parts % layout.columns == 0 && layout.rows % (parts / layout.columns) == 0)
      return parts;
  }
  return 1;
}

void place_memories(const ir::Kernel& kernel, Layout& layout) {
  for (const ir::Memory& memory : kernel.memories) {
    layout.memory_at.push_back(layout.group_bytes);
    if (memory.space == ir::Space::workgroup)
      layout.group_bytes += (memory.count * memory.stride + 63) / 64 * 64;
  }
  layout.arrays.resize(kernel.memories.size());
  for (const Node& node : kernel.nodes) {
    if (node.op != Op::load && node.op != Op::store) continue;
    const ir::Memory& memory = kernel.memories[node.low()];
    if (memory.space != ir::Space::item) continue;
    const ir::Scalar scalar =
        node.op == Op::load ? node.type.scalar : kernel.nodes[node.arguments[1]].type.scalar;
    ItemArray& array = layout.arrays[node.low()];
    const std::uint32_t bytes = ir::bits(scalar) / 8;
    if (array.word == 0) array = {.word = bytes, .words = memory.count * memory.stride / bytes};
    if (array.word != bytes) array.words = 0;
  }
}

}  // namespace

Layout find_layout(const ir::Kernel& kernel, const interpreter::Shapes& shapes, const Vectors& vectors) {
  Layout layout;
  layout.axes = find_axes(kernel);
  layout.row = kernel.group[layout.axes[0]];
  layout.width = std::min(vectors.width, std::bit_ceil(layout.row));
  layout.masked_bits = vectors.masked_bits;
  layout.columns = (layout.row + layout.width - 1) / layout.width;
  layout.height = kernel.group[layout.axes[1]];
  layout.rows = layout.height * kernel.group[layout.axes[2]];
  const std::uint32_t all = layout.columns * layout.rows;
  if (shapes.whole_group) {
    layout.parts = all;
  } else if (has_loops(kernel) && !shapes.divergent_loops && kernel.nodes.size() <= kFewNodes) {
    layout.parts = fitting(layout, kLoopParts);
  }
  layout.turns = all / layout.parts;
  place_memories(kernel, layout);
  return layout;
}

std::string find_uncovered(const ir::Kernel& kernel, const interpreter::Shapes& shapes,
                           const Layout& layout) {
  if (shapes.whole_group && layout.parts > kMostParts) {
    return "groups of more than " + std::to_string(kMostParts) + " vectors of " +
           std::to_string(layout.width) + " items that meet";
  }
  if (kernel.nodes.size() * layout.parts > kMostNodes) {
    return "kernels of more than " + std::to_string(kMostNodes) + " nodes, times the vectors side by side";
  }
  std::uint64_t array_bytes = 0;
  for (const ir::Memory& memory : kernel.memories) {
    if (memory.space == ir::Space::item)
      array_bytes += memory.count * memory.stride * layout.width * layout.parts;
  }
  if (array_bytes > kMostArrayBytes) {
    return "private arrays of more than " + std::to_string(kMostArrayBytes) + " bytes, times the items";
  }
  for (const Node& node : kernel.nodes) {
    const ir::Rule rule = ir::rule(node.op);
    if ((rule >= ir::Rule::subgroup && rule <= ir::Rule::subgroup_shuffle) || node.op == Op::subgroup_lane ||
        node.op == Op::subgroup_id || node.op == Op::subgroup_size)
      return "subgroup operations";
  }
  return {};
}

}  // namespace collet::backend::cpu::native
