// One walk in the order of execution, in which regions between barriers are counted: a value that is used in
// another region than its own is kept. A loop with a barrier comes back to its begin, so that is a border
// too.

#include "kernel/emit/stack.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "kernel/emit/contents.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/ir/sizes.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Kept {
 public:
  explicit Kept(const Kernel& kernel)
      : kernel_(kernel),
        contents_(kernel),
        any_barrier_(contents_.any_barrier()),
        region_(kernel.nodes.size()),
        kept_(kernel.nodes.size()) {
    walk(0);
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  void walk(std::uint32_t block) {
    for (const Id id : kernel_.blocks[block].nodes) {
      const Node& node = kernel_.nodes[id];
      for (std::size_t i = 0; i < node.count; ++i) use(node.arguments[i]);
      if (node.op != Op::if_ && contents_.barrier(id)) ++now_;  // one, or a loop with one
      region_[id] = now_;
      if (node.op == Op::variable && (any_barrier_ || node.immediate == kReadAnew)) keep(id);
      ir::for_blocks(node, [&](std::uint32_t inner) { walk(inner); });
    }
  }

  void use(Id id) {
    const Node& node = kernel_.nodes[id];
    const bool cheap = node.count == 0 && ir::is_pure(node.op);  // is made again
    if (region_[id] != now_ && !cheap && node.op != Op::variable) keep(id);
  }

  void keep(Id id) {
    if (kept_[id]) return;
    kept_[id] = true;
    bytes_ += std::max(ir::bits(kernel_.nodes[id].type.scalar), 32u) / 8;
  }

  const Kernel& kernel_;
  const Contents contents_;
  const bool any_barrier_;
  std::vector<std::uint32_t> region_;  // of each node
  std::vector<bool> kept_;
  std::uint32_t now_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::uint64_t kept_bytes(const Kernel& plain) { return ir::item_bytes(plain) + Kept(plain).bytes(); }

Result<void> check_stack(const Kernel& plain, const Target& target) {
  if (!target.workarounds.has(Workaround::limit_stack)) return {};
  const std::uint64_t item = kept_bytes(plain);
  const std::uint64_t items = ir::group_items(plain);
  if (item * items <= target.stack.bytes) return {};
  const std::uint64_t most = target.stack.bytes / item;
  return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
               "[Kernel \"" + plain.name + "\"] keeps " + std::to_string(item) +
                   " bytes of each item in private arrays and across barriers, for the " +
                   std::to_string(items) + " items of a group " + std::to_string(item * items) + "; " +
                   target.name + " keeps them on a thread's stack, where " +
                   std::to_string(target.stack.bytes) + " are sure to fit (quirk " + target.stack.quirk +
                   ").")
      .with_hint(most == 0 ? "Make the arrays smaller."
                           : "Use groups of at most " + std::to_string(most) +
                                 " items, or make the arrays smaller.");
}

}  // namespace collet::emit
