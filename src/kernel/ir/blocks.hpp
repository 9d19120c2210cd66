// The blocks that a node owns.
#pragma once

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// Calls `call` with the index of each block that is there, the first before the second.
template <class Call>
void for_blocks(const Node& node, const Call& call) {
  const std::uint32_t blocks = block_count(node.op);
  if (blocks >= 1) call(node.low());
  if (blocks == 2 && node.high() != kNone) call(node.high());
}

}  // namespace collet::ir
