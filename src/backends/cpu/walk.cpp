// Which kernels run in strips.

#include "backends/cpu/walk.hpp"

#include "kernel/ir/blocks.hpp"

namespace collet::backend::cpu {
namespace {

// Whether items meet in a loop.
bool meets_in_loop(const ir::Kernel& kernel, std::uint32_t block, bool in_loop) {
  bool meets = false;
  for (const ir::Id id : kernel.blocks[block].nodes) {
    const ir::Node& node = kernel.nodes[id];
    meets = meets || (in_loop && node.op == ir::Op::barrier);
    const bool inner = in_loop || node.op != ir::Op::if_;
    ir::for_blocks(node, [&](std::uint32_t b) { meets = meets || meets_in_loop(kernel, b, inner); });
  }
  return meets;
}

}  // namespace

std::uint32_t find_columns(const ir::Kernel& kernel) {
  constexpr std::uint32_t kColumns = 4;
  const bool is_flat = kernel.group[0] > 1 && kernel.group[1] > 1;
  return is_flat && meets_in_loop(kernel, 0, false) ? kColumns : 0;
}

}  // namespace collet::backend::cpu
