// Which values a text emitter writes where they are used instead of giving them a name.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::emit {

struct NestingRules {
  // Nodes of one expression.
  std::uint32_t most = 8;
  // Only what has a name is computed as it is written: float arithmetic is nested in float arithmetic that
  // has one.
  bool exact_names = false;
  // The text of a compare-exchange names its operands more than once.
  bool repeats_exchange = false;
};

// For each node. A value that is used once, in its own block, is nested there, unless what it reads may
// change in between.
std::vector<bool> nested_values(const ir::Kernel& kernel, const std::vector<std::uint32_t>& uses,
                                const NestingRules& rules);

}  // namespace collet::emit
