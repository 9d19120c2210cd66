// One operation of the IR in LLVM's language, on scalars or on vectors of lanes.
#pragma once

#include <array>
#include <set>

#include "backends/cpu/native/writer.hpp"

namespace collet::backend::cpu::native {

// The value of `op`, which is pure arithmetic, a comparison, convert, bitcast or select; the operands are
// scalars, or all are vectors (select's first may be a scalar all the same). `declared` gets what the module
// must declare.
std::string write_operation(Writer& writer, ir::Op op, ir::Scalar from, ir::Scalar to, bool vector,
                            const std::array<std::string, 3>& operands, bool scalar_condition,
                            std::set<std::string>& declared);

}  // namespace collet::backend::cpu::native
