// What a kernel did that a GPU would stop it for.
#pragma once

#include <string>

namespace collet::cuda_double {

// Thrown by handlers and caught by the launch, which makes it the context's sticky error.
struct Fault {
  int code = 0;      // a CUresult
  std::string text;  // a sentence for whoever debugs the kernel
};

}  // namespace collet::cuda_double
