// The lists of users, one after the other.

#include "kernel/ir/users.hpp"

namespace collet::ir {
namespace {

template <class Call>
void for_uses(const Kernel& kernel, std::span<const Id> order, const Call& call) {
  for (const Id id : order) {
    const Node& node = kernel.nodes[id];
    for (std::uint8_t i = 0; i < node.count; ++i) call(node.arguments[i], id);
  }
}

}  // namespace

Users::Users(const Kernel& kernel, std::span<const Id> order) : first_(kernel.nodes.size() + 1, 0) {
  for_uses(kernel, order, [&](Id used, Id) { ++first_[used + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  users_.resize(first_.back());
  std::vector<std::uint32_t> filled(first_.begin(), first_.end() - 1);
  for_uses(kernel, order, [&](Id used, Id user) { users_[filled[used]++] = user; });
}

}  // namespace collet::ir
