// What a kernel must give: the interpreter's answer, and the answer of running one item at a time by
// eval.cpp.
#pragma once

#include "backends/cpu/native/machine.hpp"
#include "collet/result.hpp"
#include "fuzz/work.hpp"

namespace collet::fuzz {

// These leave out what a kernel says: that is the library's doing. The buffers afterwards, by the
// interpreter. Here and in run_native(), an access beyond a buffer ends the process.
Result<std::vector<Bytes>> interpret(const Work& work);

// The same by native code for `level`; ErrorCode::unsupported where that does not cover the kernel,
// unavailable where there is no LLVM.
Result<std::vector<Bytes>> run_native(const Work& work, backend::cpu::native::Level level);

// Whether items never see each other, so that one can run after the other.
bool is_sequential(const ir::Kernel& kernel);

// The buffers afterwards, item by item. For sequential kernels.
std::vector<Bytes> run_items(const Work& work);

// Whether an item of a sequential kernel reaches beyond a memory.
bool reaches_outside(const Work& work);

// Whether a sequential kernel has one meaning: no index beyond its memory, and the same result in either
// order of items and whatever private arrays begin with.
bool is_sound(const Work& work);

}  // namespace collet::fuzz
