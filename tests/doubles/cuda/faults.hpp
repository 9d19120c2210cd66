// Faults that a test asks for, by COLLET_CUDA_DOUBLE or by collet_cuda_double_ask(): words with commas.
//
//   memory=N         device memory ends after N bytes on each device
//   slow-copies=5ms  each copy takes that much longer
//   launch-fails=N   the Nth launch from now on fails while it runs (CUDA_ERROR_LAUNCH_FAILED), for good
//   lost-context=N   at the Nth launch from now on its context is gone (CUDA_ERROR_CONTEXT_IS_DESTROYED)
//   wrong=OPCODE     in modules loaded from now on, results of the instructions whose text is OPCODE or
//   begins
//                    with OPCODE and a dot are one too large: add, add.s32, setp.lt
//   devices=N        there are N devices, 0 to 2
//   verbose          why a kernel was stopped goes to standard error
#pragma once

#include <chrono>
#include <string>

#include "numbers.hpp"

namespace collet::cuda_double {

// Threads: all thread-safe.

// False: a word is not known, and nothing changed.
bool ask_for_faults(const std::string& words);
// From now on it is only what COLLET_CUDA_DOUBLE says. A setuid program has none. False: a word of it is not
// known.
bool forget_faults();
// Obeys COLLET_CUDA_DOUBLE when it is first called; the result is that of forget_faults().
bool read_environment();

u64 memory_limit();
int device_count();
std::chrono::milliseconds copy_delay();
std::string wrong_opcode();
bool is_verbose();

enum class LaunchFault : u8 { none, fails, loses_context };
// Counts a launch.
LaunchFault next_launch();

}  // namespace collet::cuda_double
