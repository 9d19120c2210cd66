// Rules that opcodes of integers and of floats have in common.
#pragma once

#include "ptx_decoder.hpp"

namespace collet::cuda_double {

enum class Arithmetic : u8 { add, sub, mul, fma, div, min, max, abs, neg };

// The rest of an instruction whose type, f16 among them, was taken.
void float_rule(Decoder& decoder, Arithmetic operation, Type type);
void half_rule(Decoder& decoder, Arithmetic operation);

}  // namespace collet::cuda_double
