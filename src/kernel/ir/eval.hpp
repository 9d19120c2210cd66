// What each pure operation means, on the bits of one component. Folding, the interpreter and the tests share
// it; emitters must give the same.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "kernel/ir/ir.hpp"

namespace collet::ir {

// The bits of `op` on components of type `from` (the arguments') giving `to`. Nothing where the operation has
// no value known ahead: native functions, ids, f16 (whose rounding is the target's).
std::optional<std::uint64_t> evaluate(Op op, Scalar from, Scalar to,
                                      const std::array<std::uint64_t, 3>& arguments);

}  // namespace collet::ir
