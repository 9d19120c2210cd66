// A function of the kernel language after its trace, and how a kernel takes it up.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collet/error.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::detail {

// Threads: immutable.
class TracedFunction {
 public:
  std::string name;
  std::vector<ir::Scalar> arguments, results;
  ir::Kernel body;                                             // whose calls go by the numbers of `callees`
  std::vector<ir::Message> messages;                           // by whose numbers it prints
  std::vector<std::shared_ptr<const TracedFunction>> callees;  // each once
  std::optional<Error> failure;
};

using Callees = std::vector<std::shared_ptr<const TracedFunction>>;

// Gives the kernel, whose calls go by the numbers of `callees`, these functions and all that they call. The
// first error of one of them, where there is one.
std::optional<Error> link(ir::Kernel& kernel, const Callees& callees);

}  // namespace collet::detail
