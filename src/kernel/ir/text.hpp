// The text form of a kernel: prints, and parses back to the same kernel.
//
//   kernel saxpy group(64, 1, 1) {
//     buffer x: f32 in
//     buffer y: f32 inout
//     value a: f32
//     %0: u32 = global_id 0
//     %1: f32 = load x[%0]
//     %2: f32 = parameter a
//     %3: f32 = mul %2, %1
//     %4: f32 = load y[%0]
//     %5: f32 = add %3, %4
//     store y[%0], %5
//   }
//
// docs/ir.md has the grammar.
#pragma once

#include <string>
#include <string_view>

#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::ir {

// Numbers values in the order in which they stand, so that two kernels that differ only in numbering print
// the same.
std::string print(const Kernel& kernel);

// One node as print() would show it, for error messages; bad references become "?".
std::string quote(const Kernel& kernel, Id id);
// The same of a function's body.
std::string quote(const Kernel& body, const std::vector<Function>& functions, Id id);

// Errors name the line and quote what was found. The result is not verified.
Result<Kernel> parse(std::string_view text);

// Parsed and verified. Errors begin with the line that they are about, which `line` becomes.
Result<Kernel> read(std::string_view text, std::uint32_t* line = nullptr);

}  // namespace collet::ir
