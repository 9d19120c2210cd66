#include "kernel/emit/coherence.hpp"

#include <algorithm>

namespace collet::emit {

std::vector<bool> coherent_buffers(const ir::Kernel& kernel) {
  struct Use {
    bool loaded = false, stored = false, plainly = false;
  };
  std::vector<Use> uses(kernel.memories.size());
  Use anywhere;
  bool ordered = false;
  for (const ir::Node& node : kernel.nodes) {
    if (node.op == ir::Op::barrier || node.op == ir::Op::fence) ordered = true;
    const bool plainly = node.op == ir::Op::load || node.op == ir::Op::store;
    if (!plainly && !ir::is_atomic(node.op)) continue;
    const bool only_loads = node.op == ir::Op::load || node.op == ir::Op::atomic_load;
    const bool only_stores = node.op == ir::Op::store || node.op == ir::Op::atomic_store;
    if (kernel.memories[node.low()].space != ir::Space::buffer) continue;
    for (Use* use : {&uses[node.low()], &anywhere}) {
      use->loaded = use->loaded || !only_stores;
      use->stored = use->stored || !only_loads;
      use->plainly = use->plainly || plainly;
    }
  }

  const bool aliased = std::ranges::any_of(kernel.memories, &ir::Memory::may_alias);
  std::vector<bool> coherent(uses.size());
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (kernel.memories[i].space != ir::Space::buffer) continue;
    const Use& use = aliased ? anywhere : uses[i];
    coherent[i] = ordered && use.loaded && use.stored && use.plainly;
  }
  return coherent;
}

}  // namespace collet::emit
