// Reads a module of PTX, as NVRTC writes it.
#pragma once

#include <string>
#include <string_view>

#include "ptx_program.hpp"

namespace collet::cuda_double {

// Throws PtxError with the line where something is not known. `wrong` names the opcode that is to give wrong
// results; "": none.
Program parse_ptx(std::string_view source, const std::string& wrong);

}  // namespace collet::cuda_double
