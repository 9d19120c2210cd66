// Rows and columns, and the limits of what is compiled.

#include "backends/cpu/native/layout.hpp"

#include <algorithm>
#include <bit>

#include "backends/cpu/simt/places.hpp"

namespace collet::backend::cpu::native {
namespace {

using ir::Node;
using ir::Op;

constexpr std::uint32_t kMostParts = 32;    // of a group that meets and is not cut
constexpr std::size_t kManyNodes = 8'000;   // times parts: then a group that meets is cut if it can be
constexpr std::uint32_t kLoopParts = 4;     // side by side in loops, where one alone waits for itself
constexpr std::size_t kMostNodes = 40'000;  // times parts: compiling takes longer than it saves
constexpr std::size_t kFewNodes = 400;      // whose parts may stand side by side
constexpr std::uint64_t kMostArrayBytes = 64u << 10;  // of private arrays, which are on the stack
constexpr std::uint64_t kMostRoomBytes = 4u << 20;    // of what regions keep

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

// Variables that differ from lane to lane.
std::uint32_t count_variables(const ir::Kernel& kernel, const Shapes& shapes) {
  std::uint32_t count = 0;
  for (ir::Id id = 0; id < kernel.nodes.size(); ++id) {
    if (kernel.nodes[id].op == Op::variable && shapes.value[id] != Shape::uniform) ++count;
  }
  return count;
}

// How many parts stand side by side where nothing asks for all: as many as keep their variables in half of
// the registers.
std::uint32_t some_parts(const ir::Kernel& kernel, const Shapes& shapes, const Layout& layout,
                         std::uint32_t registers) {
  if (!has_loops(kernel) || shapes.divergent_loops || kernel.nodes.size() > kFewNodes) return 1;
  const std::uint32_t variables = std::max(count_variables(kernel, shapes), 1u);
  return fitting(layout, std::clamp(registers / 2 / variables, 1u, kLoopParts));
}

// All vectors of a group that meets stand side by side if their variables fit into registers and the code is
// not too long; else the group is cut, if it can be.
bool should_cut(const ir::Kernel& kernel, const Shapes& shapes, std::uint32_t all, std::uint32_t registers) {
  if (std::ranges::any_of(kernel.nodes, [](const Node& node) { return is_between_items(node.op); }))
    return true;
  return shapes.whole_group && (all > kMostParts || kernel.nodes.size() * all > kManyNodes ||
                                count_variables(kernel, shapes) * all > registers);
}

void place_rooms(const ir::Kernel& kernel, const Shapes& shapes, Layout& layout) {
  const auto take = [&](std::uint64_t bytes) {
    const std::uint64_t at = layout.scratch_bytes;
    layout.scratch_bytes += (bytes * layout.parts * layout.turns + 127) / 128 * 128;
    return at;
  };
  layout.scratch_bytes = (std::max<std::uint64_t>(layout.group_bytes, 1) + 127) / 128 * 128;
  layout.rooms.node.assign(kernel.nodes.size(), 0);
  for (ir::Id id = 0; id < kernel.nodes.size(); ++id) {
    const bool vector = shapes.value[id] != Shape::uniform || layout.regions->spread[id];
    if (layout.regions->shared[id] || (layout.regions->kept[id] && vector) || layout.regions->spread[id])
      layout.rooms.node[id] = take(room_bytes(layout, kernel.nodes[id].type.scalar, vector));
  }
  for (const ir::Memory& memory : kernel.memories) {
    layout.rooms.memory.push_back(
        memory.space == ir::Space::item ? take(memory.count * memory.stride * layout.width) : 0);
  }
  layout.rooms.alive = take(room_bytes(layout, ir::Scalar::boolean, true));
}

}  // namespace

std::uint64_t room_bytes(const Layout& layout, ir::Scalar scalar, bool vector) {
  if (!vector) return 8;
  return std::uint64_t{scalar == ir::Scalar::boolean ? 1 : ir::bits(scalar) / 8} * layout.width;
}

Layout find_layout(const ir::Kernel& kernel, const Shapes& shapes, const Vectors& vectors) {
  Layout layout;
  layout.axes = find_axes(kernel);
  layout.row = kernel.group[layout.axes[0]];
  layout.width = std::min(vectors.width, std::bit_ceil(layout.row));
  layout.masked_bits = vectors.masked_bits;
  layout.columns = (layout.row + layout.width - 1) / layout.width;
  layout.height = kernel.group[layout.axes[1]];
  layout.rows = layout.height * kernel.group[layout.axes[2]];
  const std::uint32_t all = layout.columns * layout.rows;
  if (should_cut(kernel, shapes, all, vectors.registers)) {
    Regions regions = find_regions(kernel, shapes);
    if (regions.possible) layout.regions = std::move(regions);
  }
  layout.parts =
      shapes.whole_group && !layout.regions ? all : some_parts(kernel, shapes, layout, vectors.registers);
  layout.turns = all / layout.parts;
  place_memories(kernel, layout);
  layout.scratch_bytes = layout.group_bytes;
  if (layout.regions) place_rooms(kernel, shapes, layout);
  return layout;
}

std::string find_uncovered(const ir::Kernel& kernel, const Shapes& shapes, const Layout& layout) {
  if (shapes.whole_group && layout.parts > kMostParts) {
    return "groups of more than " + std::to_string(kMostParts) + " vectors of " +
           std::to_string(layout.width) + " items that meet where others have left a loop";
  }
  if (layout.scratch_bytes > layout.group_bytes + kMostRoomBytes) {
    return "more than " + std::to_string(kMostRoomBytes) +
           " bytes that a group keeps from barrier to barrier";
  }
  if (kernel.nodes.size() * layout.parts > kMostNodes) {
    return "more than " + std::to_string(kMostNodes) + " nodes, times the vectors side by side";
  }
  std::uint64_t array_bytes = 0;
  for (const ir::Memory& memory : kernel.memories) {
    if (memory.space == ir::Space::item && !layout.regions)
      array_bytes += memory.count * memory.stride * layout.width * layout.parts;
  }
  if (array_bytes > kMostArrayBytes) {
    return "private arrays of more than " + std::to_string(kMostArrayBytes) + " bytes, times the items";
  }
  for (const Node& node : kernel.nodes) {
    if (!is_between_items(node.op)) continue;
    if (!layout.regions) return "subgroup operations where others have left a loop";
    const bool moves = node.op == Op::subgroup_shuffle || node.op == Op::subgroup_broadcast_first;
    if (node.type.scalar == ir::Scalar::f16 && !moves) return "arithmetic of subgroups on f16";
  }
  return {};
}

}  // namespace collet::backend::cpu::native
