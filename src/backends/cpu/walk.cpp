// Which kernels run in strips.

#include "backends/cpu/walk.hpp"

namespace collet::backend::cpu {
namespace {

// Whether items meet in a loop.
bool meets_in_loop(const ir::Kernel& kernel, std::uint32_t block, bool in_loop) {
  return std::ranges::any_of(kernel.blocks[block].nodes, [&](ir::Id id) {
    const ir::Node& node = kernel.nodes[id];
    if (node.op == ir::Op::barrier) return in_loop;
    const std::uint32_t blocks = ir::block_count(node.op);
    const bool inner = in_loop || node.op != ir::Op::if_;
    return (blocks >= 1 && meets_in_loop(kernel, node.low(), inner)) ||
           (blocks == 2 && node.high() != ir::kNone && meets_in_loop(kernel, node.high(), inner));
  });
}

}  // namespace

std::uint32_t find_columns(const ir::Kernel& kernel) {
  constexpr std::uint32_t kColumns = 4;
  const bool is_flat = kernel.group[0] > 1 && kernel.group[1] > 1;
  return is_flat && meets_in_loop(kernel, 0, false) ? kColumns : 0;
}

}  // namespace collet::backend::cpu
