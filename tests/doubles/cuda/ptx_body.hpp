// Reads the body of a function.
#pragma once

#include <string>

#include "ptx_scope.hpp"
#include "ptx_tokens.hpp"

namespace collet::cuda_double {

// From { to }. The parameters are declared. Throws PtxError.
void parse_body(FunctionBuilder& builder, TokenReader& tokens, const std::string& wrong);

}  // namespace collet::cuda_double
