// Whether a kernel is one: types, scopes, control flow, memory, and barriers only where all items come by.
#pragma once

#include <cstddef>

#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::ir {

inline constexpr std::size_t kMostDepth = 200;  // of blocks in blocks

// The part of a kernel that a violation is about.
struct Part {
  enum class Kind : std::uint8_t { kernel, memory, parameter, message, function, node };
  Kind kind = Kind::kernel;
  std::uint32_t index = 0;         // among those of its kind
  std::uint32_t function = kNone;  // whose body a node is in; kNone for the kernel's own
};

// The first violation, as a sentence that quotes the node; `part` becomes what it is about. The kernel may be
// hostile: nothing is assumed about it.
Result<void> verify(const Kernel& kernel, Part* part = nullptr);

}  // namespace collet::ir
