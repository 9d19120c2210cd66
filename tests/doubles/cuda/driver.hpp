// What the exported functions have in common.
//
// The double of NVIDIA's driver library has these rooms:
//   ptx_lexer, ptx_tokens, ptx_parser, ptx_body, ptx_scope   the text of a module becomes
//   ptx_program                                              instructions with handlers, which
//   ptx_decoder and ops_*                                    rules make, one for each opcode
//   warp, block, launch                                      run them for the threads of a grid
//   memory                                                   knows what is allocated
//   context, stream, module                                  are what a program has handles of
//   driver_*, functions.inc                                  are exported, as abi.hpp says
//   faults                                                   are what a test asks for
#pragma once

#include <memory>

#include "abi.hpp"
#include "context.hpp"
#include "device_facts.hpp"
#include "stream.hpp"

#define COLLET_CUDA_DOUBLE_EXPORT extern "C" __attribute__((visibility("default")))

namespace collet::cuda_double {

#define COLLET_CUDA_DOUBLE_FUNCTION(name, ...) COLLET_CUDA_DOUBLE_EXPORT Result name(__VA_ARGS__);
#include "functions.inc"
#undef COLLET_CUDA_DOUBLE_FUNCTION

// Returns what the expression gives unless it is kSuccess.
#define COLLET_CUDA_DOUBLE_TRY(expression)                                    \
  do {                                                                        \
    const int collet_result = (expression);                                   \
    if (collet_result != kSuccess) return static_cast<Result>(collet_result); \
  } while (false)

int check_device(CuDevice device);
// The stream of a handle; the null handle is the current context's default stream.
int find_stream(StreamHandle* handle, std::shared_ptr<Stream>& stream);
// Forgets the modules of a context whose work ended.
void drop_modules(const std::shared_ptr<Context>& context);
// Pushes work after what the default stream's rules say must come before.
void enqueue(const std::shared_ptr<Stream>& stream, std::function<int()> work);

}  // namespace collet::cuda_double
