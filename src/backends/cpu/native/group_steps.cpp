// A value's step comes from those of its arguments. What no group id goes into does not grow.

#include "backends/cpu/native/group_steps.hpp"

#include <algorithm>
#include <span>

namespace collet::backend::cpu::native {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;
using Step = std::optional<std::uint32_t>;

// Threads: one at a time.
class StepSearch {
 public:
  explicit StepSearch(const ir::Kernel& kernel) : kernel_(kernel), found_(kernel.nodes.size()) {}

  std::vector<Step> run() {
    for (Id id = 0; id < kernel_.nodes.size(); ++id) found_[id] = find(kernel_.nodes[id]);
    return std::move(found_);
  }

 private:
  Step of(const Node& node, std::size_t argument) const { return found_[node.arguments[argument]]; }

  // The factor that argument `argument` is; nothing where it is no constant.
  Step factor(const Node& node, std::size_t argument) const {
    const Node& from = kernel_.nodes[node.arguments[argument]];
    return from.op == Op::constant ? Step(static_cast<std::uint32_t>(from.immediate)) : std::nullopt;
  }

  Step find(const Node& node) const {
    if (!ir::is_pure(node.op)) return std::nullopt;
    if (node.op == Op::group_id && node.immediate == 0) return 1;
    if (node.op == Op::global_id && node.immediate == 0) return kernel_.group[0];
    const std::span arguments(node.arguments.begin(), node.count);
    if (std::ranges::any_of(arguments, [&](Id id) { return !found_[id]; })) return std::nullopt;
    if (std::ranges::all_of(arguments, [&](Id id) { return *found_[id] == 0; })) return 0;
    if (!ir::is_integer(node.type.scalar) || ir::bits(node.type.scalar) != 32) return std::nullopt;
    switch (node.op) {
      case Op::add: return *of(node, 0) + *of(node, 1);
      case Op::sub: return *of(node, 0) - *of(node, 1);
      case Op::negate: return 0 - *of(node, 0);
      case Op::bitcast: return of(node, 0);
      case Op::mul:
        if (const Step times = factor(node, 1)) return *of(node, 0) * *times;
        if (const Step times = factor(node, 0)) return *of(node, 1) * *times;
        return std::nullopt;
      default: return std::nullopt;
    }
  }

  const ir::Kernel& kernel_;
  std::vector<Step> found_;
};

}  // namespace

std::vector<std::optional<std::uint32_t>> find_group_steps(const ir::Kernel& kernel) {
  return StepSearch(kernel).run();
}

}  // namespace collet::backend::cpu::native
