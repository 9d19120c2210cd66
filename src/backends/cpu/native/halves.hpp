// f16 in LLVM's language: bits that become a float to be computed with, and round to nearest even back; the
// same steps as the interpreter's half.hpp, for processors that have no instruction for it too.
#pragma once

#include "backends/cpu/native/writer.hpp"

namespace collet::backend::cpu::native {

// The float that the bits `half` are.
std::string widen_half(Writer& writer, const std::string& half, bool vector);
// The bits of the half nearest to a value of type `from`, which is f32 or f64.
std::string narrow_to_half(Writer& writer, const std::string& value, ir::Scalar from, bool vector);

}  // namespace collet::backend::cpu::native
