// Who uses what: the nodes that have a value or variable among their arguments.
#pragma once

#include <span>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// Threads: immutable.
class Users {
 public:
  Users() = default;
  // Of the nodes in `order`. A node that has an argument twice stands there twice.
  Users(const Kernel& kernel, std::span<const Id> order);

  std::span<const Id> of(Id id) const { return {users_.data() + first_[id], first_[id + 1] - first_[id]}; }

 private:
  std::vector<std::uint32_t> first_;  // of each node, in users_; and the end
  std::vector<Id> users_;
};

}  // namespace collet::ir
